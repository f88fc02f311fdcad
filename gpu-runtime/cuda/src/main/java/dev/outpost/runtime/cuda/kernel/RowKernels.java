package dev.outpost.runtime.cuda.kernel;

import dev.outpost.protocol.op.Op;
import dev.outpost.runtime.cuda.code.AccessPattern.Access;
import dev.outpost.runtime.cuda.code.CudaSource;
import dev.outpost.runtime.cuda.code.RowAccessPattern;
import dev.outpost.runtime.cuda.code.RowCode;
import dev.outpost.runtime.cuda.code.RowKernel;
import dev.outpost.runtime.cuda.code.RowTeam;
import dev.outpost.runtime.cuda.launch.CudaLauncher;
import dev.outpost.runtime.cuda.launch.DeviceAllocation;
import dev.outpost.runtime.cuda.launch.KernelArguments;
import dev.outpost.runtime.engine.FusedRows;
import dev.outpost.runtime.engine.GeneratedKernel;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The kernels that compute matrices row by row. The same kind of kernel is used for fused instructions and for single
 * reductions of rows or columns.
 */
public record RowKernels(CudaLauncher launcher, Maps maps, Folds folds) {
    /** Returns the kernel of rows. It runs under the engine's lock. */
    public GeneratedKernel kernel(FusedRows rows) {
        return new Program(RowCode.of(rows));
    }

    /** An operand whose rows each are contiguous or repeat one element. */
    private record Operand(Array array, long row, Access access, boolean isCopy) {
        long address() {
            return CudaLauncher.address(array);
        }

        boolean isAligned(int run) {
            return access == Access.SAME
                    || address() % ((long) run * array.dtype().bytes()) == 0 && row % run == 0;
        }
    }

    /** The layouts of a run's operands, on which the kernel's source depends. */
    private record Lie(boolean isPacked, List<Access> accesses) {}

    /** The code of a row, and the source for each layout of its operands. */
    private final class Program implements GeneratedKernel {
        private final RowCode code;
        private final RowTeam team;
        private final Map<Lie, CudaSource> sources = new ConcurrentHashMap<>();
        private volatile String listing = "";

        Program(RowCode code) {
            this.code = code;
            this.team = RowTeam.of(code.columns());
        }

        @Override
        public String listing() {
            return listing;
        }

        @Override
        public void run(Op op, Array[] in, Array[] out) {
            List<Operand> operands = new ArrayList<>();
            List<DeviceAllocation> parts = new ArrayList<>();
            try {
                for (RowCode.Load load : code.loads()) {
                    operands.add(operand(load, in[load.source()]));
                }
                for (RowCode.ColumnFold fold : code.columnFolds()) {
                    parts.add(launcher.scratch(
                            (long) teams() * code.columns() * fold.sum().bytes()));
                }
                launch(operands, parts, out);
                foldParts(parts, out);
            } finally {
                parts.forEach(launcher::release);
                operands.stream().filter(Operand::isCopy).forEach(copy -> launcher.release(copy.array()));
            }
        }

        /** Returns the number of teams: one for each row, or fewer that share the rows if columns are folded. */
        private int teams() {
            return code.columnFolds().isEmpty() ? code.rows() : team.sharing(code.rows());
        }

        private void launch(List<Operand> operands, List<DeviceAllocation> parts, Array[] out) {
            Lie lie = new Lie(
                    isPacked(operands, out),
                    operands.stream().map(Operand::access).toList());
            CudaSource source = sources.computeIfAbsent(lie, this::source);
            listing = source.tail();
            KernelArguments arguments = new KernelArguments();
            code.stored().forEach(result -> arguments.add(CudaLauncher.address(out[result])));
            parts.forEach(part -> arguments.add(part.address()));
            operands.forEach(operand -> arguments.add(operand.address()));
            arguments.add(code.rows(), code.columns());
            if (!parts.isEmpty()) {
                arguments.add(teams());
            }
            operands.forEach(operand -> arguments.add(operand.row()));
            int threads = team.blockThreads();
            long blocks = ((long) teams() * team.threads() + threads - 1) / threads;
            launcher.runBlocks(source, RowKernel.NAME, blocks, threads, arguments);
        }

        private CudaSource source(Lie lie) {
            return RowKernel.source(code, RowAccessPattern.of(code, lie.isPacked(), lie.accesses()));
        }

        private void foldParts(List<DeviceAllocation> parts, Array[] out) {
            for (int part = 0; part < parts.size(); part++) {
                RowCode.ColumnFold fold = code.columnFolds().get(part);
                long target = CudaLauncher.address(out[fold.result()]);
                long address = parts.get(part).address();
                folds.parts(fold.fn(), fold.sum(), fold.type(), address, teams(), code.columns(), target);
            }
        }

        private boolean isPacked(List<Operand> operands, Array[] out) {
            int run = team.run();
            return run > 1
                    && code.columns() % run == 0
                    && operands.stream().allMatch(operand -> operand.isAligned(run))
                    && List.of(out).stream()
                            .allMatch(result -> CudaLauncher.address(result)
                                            % ((long) run * result.dtype().bytes())
                                    == 0);
        }

        /** Prepares an operand. It is copied first if its rows are neither contiguous nor one repeated element. */
        private Operand operand(RowCode.Load load, Array given) {
            Array broadcast = new Array(given.buffer(), given.layout().expand(load.shape()));
            Operand operand = asItIs(load, broadcast);
            if (operand != null) {
                return operand;
            }
            Array copy = maps.dense(broadcast);
            return load.isWide()
                    ? new Operand(copy, code.columns(), Access.RUN, true)
                    : new Operand(copy, 1, Access.SAME, true);
        }

        private Operand asItIs(RowCode.Load load, Array broadcast) {
            int columns = load.isWide() ? code.columns() : 1;
            Layout matrix = broadcast.layout().viewAs(Shape.of(code.rows(), columns));
            if (matrix == null) {
                return null;
            }
            Access access = columns == 1 ? Access.SAME : Access.of(matrix.stride(1));
            long row = code.rows() == 1 ? 0 : matrix.stride(0);
            return access == Access.STEP
                    ? null
                    : new Operand(new Array(broadcast.buffer(), matrix), row, access, false);
        }
    }
}
