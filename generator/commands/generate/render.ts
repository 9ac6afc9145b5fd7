/** Every file of a project: reuses those whose inputs did not change, renders the others. */
import { renderArtifacts } from "../../artifacts/render.ts";
import { emitViews, renderFile } from "../../emit/emit.ts";
import { formattedFiles } from "../../emit/format.ts";
import type { Model } from "../../model/model.ts";
import type { Memory } from "../../output/memory.ts";
import type { OutputFile } from "../../output/plan.ts";
import { digestOf } from "../../rendered/digest.ts";
import { environment, toolchain } from "./inputs.ts";
import type { Project } from "./project.ts";

/** The project's own files beside its schema files, relative to the root. */
const extensionsOf = ({ contentTypes }: Model): readonly string[] =>
  contentTypes.flatMap(({ extension }) => extension ?? []);

export type Rendered = Awaited<ReturnType<typeof renderAll>>;

/**
 * The files with the digests of their inputs, and of what the template rendered and our own code; `isKept` says whether
 * a file is on disk, formatted.
 */
const sourcesOf = (model: Model, project: Project, memory: Memory) => {
  const { files, symbols } = emitViews(model, project);
  const tools = toolchain();
  const common = digestOf([tools, JSON.stringify([...symbols])]);
  return files.map((file) => {
    const inputs = digestOf([common, file.path, file.template, JSON.stringify(file.view)]);
    const { files: [known] = [], source = "" } = memory.recall(file.path, inputs) ?? {};
    if (known) return { ...known, inputs, digest: source, isKept: true };
    const rendered = renderFile(file, symbols);
    return { ...rendered, inputs, digest: digestOf([tools, rendered.text]), isKept: false };
  });
};

export const renderAll = async (model: Model, project: Project, memory: Memory) => {
  const sources = sourcesOf(model, project, memory);
  const own = [...(project.app === undefined ? [] : [project.app]), ...extensionsOf(model)];
  // The formatter runs alongside the bundler, and must end before a bundler error is reported: its threads crash the
  // process if the folder that it was started in is gone.
  const formatting = formattedFiles(sources.filter(({ isKept }) => !isKept));
  const rendering = renderArtifacts(
    { ...project, own, rendered: sources, environment: environment(project.root) },
    project,
    memory,
  );
  await Promise.allSettled([formatting, rendering]);
  const [formatted, artifacts] = await Promise.all([formatting, rendering]);
  const texts = new Map(formatted.map(({ path, text }) => [path, text]));
  for (const { path, inputs, digest } of sources) {
    const text = texts.get(path);
    if (text !== undefined) memory.remember(path, inputs, { files: [{ path, text }], source: digest });
  }
  const files = sources.map(({ path, text }) => ({ path, text: texts.get(path) ?? text }));
  /** Every file that must exist. */
  const rendered: readonly OutputFile[] = [...files, ...artifacts.files];
  return { ...artifacts, rendered };
};
