/** Loads the parts of the runtime that a project asks for. */
import { SetupError } from "../base/setup-error.ts";
import type { OperationServices } from "../documents/operations/context.ts";
import type { Recorder } from "../documents/recorders.ts";
import type { Room } from "../http/services.ts";
import type { Application } from "./application.ts";

type Content = OperationServices & { readonly recorders: Recorder[] };

/**
 * Opens the rooms of a project. What they record of changes is recorded from then on.
 *
 * @throws SetupError when the application uses what the configuration does not turn on
 */
export const openRooms = async (services: Content, { app }: Application): Promise<readonly Room[]> => {
  const rooms: Room[] = [];
  const { config } = services;
  if (config.events) {
    const { openEvents } = await import("../events/events.ts");
    const { room, recorder } = await openEvents(services, config.events, app?.events ?? {});
    rooms.push(room);
    services.recorders.push(recorder);
  } else if (app?.events) throw new SetupError('app.ts has "events": set events: {} in cms.config.ts');
  return rooms;
};

/** Starts the work of rooms. Returns what ends it. */
export const startRooms = async (rooms: readonly Room[]): Promise<() => Promise<void>> => {
  const ends = await Promise.all(rooms.map((room) => room.start?.()));
  return async () => void (await Promise.all(ends.map((end) => end?.())));
};
