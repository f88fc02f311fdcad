package dev.outpost.torch.fuzz;

import java.util.List;
import java.util.Optional;

/** A source of programs, a different one for each seed. */
interface ProgramSource {
    /** Runs a seed's statements up to the first unexplained difference. */
    Optional<Difference> run(long seed, ComparedRun run, OutpostSide ours);

    /** Returns a source of random programs over the ops of a table. */
    static ProgramSource ofPrograms(DrawTable table) {
        return (seed, run, ours) -> {
            ProgramDrawer drawer = new ProgramDrawer(table, seed);
            if (drawer.trains()) {
                return run.run(drawer.training());
            }
            for (int call = 0; call < drawer.length() && !run.isOver(); call++) {
                Optional<Difference> difference = run.run(drawer.next(ours.known()));
                if (difference.isPresent()) {
                    return difference;
                }
            }
            return run.run(drawer.backward(ours.known()));
        };
    }

    /** Returns a source of programs with one call and its backward pass. */
    static ProgramSource ofSamples(TorchSide torch) {
        return (seed, run, ours) -> {
            List<FuzzStatement> call = torch.sample(seed);
            Optional<Difference> difference = run.run(call);
            return difference.isPresent()
                    ? difference
                    : run.run(new ProgramDrawer(DrawTable.ofAllFamilies(), seed).backward(ours.known()));
        };
    }
}
