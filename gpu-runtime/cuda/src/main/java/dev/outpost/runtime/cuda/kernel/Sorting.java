package dev.outpost.runtime.cuda.kernel;

import dev.outpost.protocol.op.Sort;
import dev.outpost.runtime.cuda.code.CudaSource;
import dev.outpost.runtime.cuda.code.CudaType;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.cuda.launch.CudaLauncher;
import dev.outpost.runtime.cuda.launch.DeviceAllocation;
import dev.outpost.runtime.cuda.launch.KernelArguments;
import dev.outpost.runtime.cuda.launch.Lined;
import dev.outpost.runtime.memory.Array;

/** Sorts lines by a bitonic network. Steps within a block's part use its shared memory. Each longer distance takes a launch. */
public record Sorting(CudaLauncher launcher) {
    private static final int ENTRY_BYTES = 16;
    private static final int THREADS = 512;
    private static final int PART = 2 * THREADS;

    public void sort(Sort op, Array in, Array values, Array places) {
        if (in.shape().isEmpty()) {
            return;
        }
        Lined lined = Lined.along(op.axis(), in.layout(), values.layout());
        long padded = lined.length() == 1 ? 1 : Long.highestOneBit(lined.length() - 1) << 1;
        long all = Math.multiplyExact(lined.lines(), padded);
        DeviceAllocation entries = launcher.scratch(Math.multiplyExact(all, ENTRY_BYTES));
        try {
            Run run = new Run(source(op, in, lined), lined, padded, entries, in, values, places);
            launcher.run(run.source, "sort_keys", all, run.arguments(0, 0));
            sortEntries(run, padded, all);
            launcher.run(run.source, "sort_places", lined.lines() * lined.length(), run.arguments(0, 0));
        } finally {
            launcher.release(entries);
        }
    }

    private void sortEntries(Run run, long padded, long all) {
        long parts = (all + PART - 1) / PART;
        launcher.runBlocks(run.source, "sort_block", parts, THREADS, run.arguments(Math.min(padded, PART), 0));
        for (long length = 2L * PART; length <= padded; length *= 2) {
            for (long distance = length / 2; distance >= PART; distance /= 2) {
                launcher.run(run.source, "sort_step", all / 2, run.arguments(length, distance));
            }
            launcher.runBlocks(run.source, "sort_block", parts, THREADS, run.arguments(length, 1));
        }
    }

    private static CudaSource source(Sort op, Array in, Lined lined) {
        CudaType type = CudaType.of(in.dtype());
        String key = "key_" + type.value() + "(x)";
        return Template.of(Part.SORT, lined.starts().isWide())
                .with(Part.KEYS)
                .elements(type)
                .define("KEY(x)", op.descending() ? "~" + key : key)
                .define("THREADS", THREADS)
                .define("KEPT", lined.starts().rank())
                .source();
    }

    private record Run(
            CudaSource source,
            Lined lined,
            long padded,
            DeviceAllocation entries,
            Array in,
            Array values,
            Array places) {
        /** @param run the length of the sorted runs that the step creates */
        KernelArguments arguments(long run, long distance) {
            return new KernelArguments()
                    .add(entries.address(), CudaLauncher.address(in))
                    .add(CudaLauncher.address(values), CudaLauncher.address(places))
                    .add(lined.lines(), lined.length(), padded, run, distance)
                    .add(lined.strides())
                    .add(lined.starts().sizes())
                    .add(lined.starts().strides()[0])
                    .add(lined.starts().strides()[1]);
        }
    }
}
