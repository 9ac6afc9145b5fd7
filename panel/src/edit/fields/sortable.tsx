import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from "@dnd-kit/sortable";
/** Lists with items that can be moved by a grip, with mouse, touch or keyboard. */
import { ActionIcon } from "@mantine/core";
import type { ReactNode } from "react";
import { useText } from "../../i18n/index.ts";
import { Icon } from "../../ui/icons.tsx";

interface SortableProps {
  readonly ids: readonly string[];
  readonly children: ReactNode;
  move(from: number, to: number): void;
}

export const Sortable = ({ ids, children, move }: SortableProps) => {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const end = ({ active, over }: DragEndEvent): void => {
    const from = ids.indexOf(String(active.id));
    const to = ids.indexOf(String(over?.id));
    if (from >= 0 && to >= 0 && from !== to) move(from, to);
  };
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={end}>
      <SortableContext items={[...ids]} strategy={verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  );
};

export const moved = <Item,>(items: readonly Item[], from: number, to: number): readonly Item[] =>
  arrayMove([...items], from, to);

interface ItemProps {
  readonly id: string;
  readonly name: string;
  readonly readOnly: boolean;
  /** Renders the item around its grip. */
  children(grip: ReactNode): ReactNode;
}

export const SortableItem = ({ id, name, readOnly, children }: ItemProps) => {
  const t = useText();
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
  });
  const style = {
    transform: transform ? `translate3d(0, ${Math.round(transform.y)}px, 0)` : undefined,
    transition,
    position: "relative" as const,
    zIndex: isDragging ? 2 : undefined,
    opacity: isDragging ? 0.85 : undefined,
  };
  const grip = readOnly ? null : (
    <ActionIcon
      ref={setActivatorNodeRef}
      variant="subtle"
      color="gray"
      size="sm"
      className="grip"
      {...attributes}
      {...listeners}
      aria-label={t("field.drag", { name })}
    >
      <Icon name="grip" />
    </ActionIcon>
  );
  return (
    <div ref={setNodeRef} style={style}>
      {children(grip)}
    </div>
  );
};
