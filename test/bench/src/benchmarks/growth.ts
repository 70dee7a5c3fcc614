/**
 * Measures how costs grow with the number of claims: generates data sets of several sizes in one database, each in a project of its own, and
 * measures all reads, the main writes, the disk, and a stack without requests at each size.
 */
import { checkShapes, MOST_CHECKED } from '../dataset/check';
import { generateClaims, progressOf, usualPortfolio } from '../dataset/copies';
import { kindNames } from '../dataset/kinds';
import { makeTemplates } from '../dataset/templates';
import { printComparison, type Sized } from '../growth/comparison';
import { printDiskAccount, readDiskAccount } from '../growth/disk';
import { measureIdle } from '../growth/idle';
import { measureReads } from '../growth/reads';
import { StatementCounts } from '../growth/statements';
import { measureWrites } from '../growth/writes';
import { createInOrder } from '../harness/in-parallel';
import type { Size } from '../harness/size';
import type { Benchmark } from './benchmark';

export const growth: Benchmark = async (stack, size: Size) => {
  // The templates of all data sets are made before the first data set is generated, because making a template reads all rows of the
  // database.
  const prepared = await createInOrder(size.claims, async (claims) => {
    const project = await stack.openProject();
    return { claims, project, templates: await makeTemplates(project) };
  });
  const statements = await StatementCounts.start(stack);
  const reads: Sized[] = [];
  const writes: Sized[] = [];
  const measureSize = async ({ claims, project, templates }: (typeof prepared)[number]) => {
    const generated = Math.max(claims - kindNames.length, kindNames.length);
    const url = project.databaseUrl();
    const written = new Set<string>();
    await generateClaims(
      url,
      templates,
      { ...usualPortfolio, claims: generated },
      {
        onProgress: progressOf(claims),
        // Writes are measured before the services start the workflows of the open claims, because those starts execute the same statements;
        // and before the reads, because the writes create resources that no data set has, such as a consent.
        beforeOpen: async () => {
          const { figures, claimIds } = await measureWrites(project, statements, size.prepared);
          writes.push({ claims, figures });
          for (const id of claimIds) written.add(id);
        },
      },
    );
    if (claims <= MOST_CHECKED) {
      const counts = await checkShapes(url, templates, written);
      const text = [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
      process.stdout.write(`\nEvery generated claim has the rows of one that the API made: ${text}\n`);
    }
    printDiskAccount(await readDiskAccount(url));
    reads.push({ claims, figures: await measureReads(project, usualPortfolio.months, size.prepared) });
    await measureIdle(statements, claims, size.idleSeconds);
  };
  try {
    for (const each of prepared) await measureSize(each);
  } finally {
    // The measured sizes are also printed if a larger one fails.
    await statements.end();
    printComparison('Reads', reads);
    printComparison('Writes', writes);
  }
};
