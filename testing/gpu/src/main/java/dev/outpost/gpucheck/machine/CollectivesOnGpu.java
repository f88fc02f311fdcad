package dev.outpost.gpucheck.machine;

import dev.outpost.gpucheck.gpu.GpuFinding;
import dev.outpost.gpucheck.gpu.GpuUnderCheck;
import dev.outpost.gpucheck.gpu.WrongAnswerException;
import dev.outpost.protocol.op.Collective;
import dev.outpost.runtime.engine.DeviceCollectives;
import dev.outpost.runtime.engine.DeviceCommunicator;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.EngineSettings;
import dev.outpost.runtime.engine.MissingMembersException;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import dev.outpost.types.TensorType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Checks the library of exchanges between GPUs with a communicator of one member: a sum of one term is that term, and its only part is the
 * whole. The calls, the copies before and after them, and the end of a communicator are the same as in a larger group.
 */
final class CollectivesOnGpu {
    private static final String KEY = "the key of a group of one";
    private static final byte[] NOTHING = new byte[0];
    private static final int ROWS = 96;
    private static final int COLUMNS = 67;
    private static final int MAX_TIMED_ELEMENTS = 16 << 20;
    private static final int TIMES = 10;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration SHORT_TIMEOUT = Duration.ofSeconds(1);

    private final GpuUnderCheck gpu;
    private final int timedElements;

    CollectivesOnGpu(GpuUnderCheck gpu, WorkSizes sizes) {
        this.gpu = gpu;
        this.timedElements = (int) Math.min(MAX_TIMED_ELEMENTS, sizes.chain());
    }

    GpuFinding run() {
        try (Engine engine = gpu.engines().apply(EngineSettings.DEFAULT)) {
            Optional<DeviceCollectives> library = engine.collectives();
            return library.isPresent()
                    ? run(engine, library.get())
                    : GpuFinding.skipped(
                            "libnccl.so.2 was not found, or does not load: pip install nvidia-nccl-cu13, or"
                                    + " name its folder by OUTPOST_CUDA_LIBRARIES");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    /** Ends the second communicator as if its members were gone, and checks with a third one that the library still works. */
    private GpuFinding run(Engine engine, DeviceCollectives library) throws InterruptedException {
        Exchanges exchanges = new Exchanges(engine);
        double seconds;
        boolean areInGraphs;
        try (DeviceCommunicator communicator = joined(library)) {
            exchanges.checkAll(communicator);
            seconds = exchanges.secondsOfSum(communicator, timedElements);
            exchanges.requireRight();
            areInGraphs = unites(communicator);
            if (areInGraphs) {
                exchanges.checkAllInGraphs(communicator);
            }
        }
        joined(library).abort();
        try (DeviceCommunicator communicator = joined(library)) {
            exchanges.check(communicator, Exchanges.sum(DType.FLOAT32));
        }
        requireGivenUp(library);
        exchanges.requireRight();
        double bytes = 1.0 * Float.BYTES * timedElements;
        return GpuFinding.of(
                Map.of("exchanges", (double) exchanges.count(), "seconds of a sum", seconds),
                "%s: %d exchanges of %s by a communicator of one are right (%s), %s; a sum of %.0f MB takes %.3f ms; a"
                        + " member that does not come is given up",
                library.library(),
                exchanges.count(),
                exchanges.dtypes(),
                exchanges.kinds(),
                areInGraphs ? "by themselves and within graphs" : "but not taken into graphs",
                bytes / 1e6,
                seconds * 1e3);
    }

    private static boolean unites(DeviceCommunicator communicator) throws InterruptedException {
        try {
            boolean unites = communicator.prepareGroups(1, TIMEOUT);
            if (unites) {
                communicator.tryGroups();
            }
            return unites;
        } finally {
            communicator.endTrial();
        }
    }

    private static DeviceCommunicator joined(DeviceCollectives library) {
        return library.join(library.drawId(KEY), KEY, 1, 0, TIMEOUT);
    }

    private static void requireGivenUp(DeviceCollectives library) {
        try {
            library.join(library.drawId(KEY), KEY, 2, 0, SHORT_TIMEOUT);
        } catch (MissingMembersException expected) {
            return;
        }
        throw new WrongAnswerException("joined a member that is not there");
    }

    /** The exchanges of one engine. */
    private static final class Exchanges {
        private final DeviceExchanges device;
        private final List<String> wrong = new ArrayList<>();
        private final TreeSet<String> kinds = new TreeSet<>();
        private final TreeSet<String> dtypes = new TreeSet<>();
        private int count;
        private boolean isWithinUnits;

        Exchanges(Engine engine) {
            device = new DeviceExchanges(engine);
        }

        int count() {
            return count;
        }

        String kinds() {
            return String.join(", ", kinds);
        }

        String dtypes() {
            return String.join(", ", dtypes);
        }

        void checkAll(DeviceCommunicator communicator) throws InterruptedException {
            for (DType dtype : DType.values()) {
                if (dtype != DType.BOOL) {
                    check(communicator, sum(dtype));
                    check(communicator, exchange(Collective.Fn.REDUCE_SCATTER, dtype));
                }
                check(communicator, exchange(Collective.Fn.ALL_GATHER, dtype));
                check(communicator, exchange(Collective.Fn.ALL_TO_ALL, dtype));
            }
        }

        /** Does the same as {@link #checkAll} with exchanges within graphs. */
        void checkAllInGraphs(DeviceCommunicator communicator) throws InterruptedException {
            isWithinUnits = true;
            checkAll(communicator);
            isWithinUnits = false;
        }

        static Collective sum(DType dtype) {
            return exchange(Collective.Fn.ALL_REDUCE, dtype);
        }

        private static Collective exchange(Collective.Fn fn, DType dtype) {
            boolean isCutBefore = fn == Collective.Fn.ALL_GATHER || fn == Collective.Fn.ALL_TO_ALL;
            boolean isCutBehind = fn == Collective.Fn.REDUCE_SCATTER;
            Optional<Split> rows = Optional.of(Split.even(0, ROWS, 1));
            return new Collective(
                    fn,
                    new TensorType(dtype, Shape.of(ROWS, COLUMNS)),
                    List.of(0),
                    isCutBefore ? rows : Optional.empty(),
                    isCutBehind
                            ? rows
                            : Optional.of(Split.even(1, COLUMNS, 1)).filter(_ -> fn == Collective.Fn.ALL_TO_ALL),
                    1,
                    1);
        }

        /** Does nothing if the library lacks the dtype: in a group, the hosts exchange it then. */
        void check(DeviceCommunicator communicator, Collective collective) throws InterruptedException {
            if (!communicator.takes(collective, collective.type().shape())) {
                return;
            }
            DType dtype = collective.type().dtype();
            byte[] elements = DeviceExchanges.elements(dtype, ROWS * COLUMNS, count);
            byte[] expected = DeviceExchanges.transposed(elements, COLUMNS, ROWS, dtype.bytes());
            byte[] found = isWithinUnits
                    ? device.withinUnit(communicator, collective, elements).orElse(NOTHING)
                    : device.ofTransposed(communicator, collective, elements);
            if (!Arrays.equals(expected, found)) {
                wrong.add(collective.label() + (isWithinUnits ? " within a graph of " : " of ") + dtype + " "
                        + collective.type().shape() + " differs at byte " + Arrays.mismatch(expected, found));
            }
            kinds.add(collective.label());
            dtypes.add(dtype.label());
            count++;
        }

        void requireRight() {
            if (!wrong.isEmpty()) {
                throw new WrongAnswerException(
                        wrong.size() + " of " + count + " exchanges are wrong, the first: " + wrong.getFirst(), wrong);
            }
        }

        /** Returns the shortest of some times. */
        double secondsOfSum(DeviceCommunicator communicator, int elements) throws InterruptedException {
            Collective sum = new Collective(
                    Collective.Fn.ALL_REDUCE,
                    new TensorType(DType.FLOAT32, Shape.of(elements)),
                    List.of(0),
                    Optional.empty(),
                    Optional.empty(),
                    1,
                    1);
            double seconds = Double.MAX_VALUE;
            for (int time = 0; time < TIMES; time++) {
                seconds = Math.min(seconds, device.seconds(communicator, sum));
            }
            return seconds;
        }
    }
}
