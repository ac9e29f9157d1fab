import { access, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { historyText, kebab, personalData } from '../history-file.ts';
import { CommandError, print, UsageError } from './command.ts';
import { historyOf } from './runs.ts';

/** Of the checkout in which the command runs. */
const FOLDER = path.join('tests', 'histories');

/** Puts the history of a run among those that the tests replay, and prints what it wrote. */
export async function run([workflowId, name, ...more]: readonly string[]): Promise<void> {
  if (!workflowId || !name || more.length > 0) throw new UsageError();
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) throw new UsageError(`un nombre como won-and-shared-again, no ${name}`);
  const history = await historyOf(workflowId);
  const type = history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name;
  if (!type) throw new CommandError(`La historia de ${workflowId} no dice de qué workflow es.`);

  const text = historyText(history);
  const personal = personalData(text);
  if (personal.length > 0) {
    throw new CommandError(`No se guardó: la historia lleva datos personales.\n${personal.join('\n')}`);
  }
  const file = path.join(FOLDER, `${kebab(type)}.${name}.json`);
  await writeNew(file, text);
  print(`${file}: ${history.events?.length ?? 0} eventos, ${Math.ceil(text.length / 1024)} KiB, sin datos personales`);
}

/** A committed history stays as it is: it stands for runs that may still be under way. */
async function writeNew(file: string, text: string): Promise<void> {
  try {
    await access(FOLDER);
  } catch {
    throw new CommandError(`Se guarda en ${FOLDER}, que solo tiene una copia del repositorio.`);
  }
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // of writeFile
    throw new CommandError(`${file} ya existe; elija otro nombre.`);
  }
}
