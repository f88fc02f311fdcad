package dev.outpost.gpucheck.machine;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.gpucheck.gpu.GpuFinding;
import dev.outpost.gpucheck.gpu.GpuUnderCheck;
import dev.outpost.gpucheck.gpu.WrongAnswerException;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.EngineSettings;
import dev.outpost.runtime.session.context.Limits;
import dev.outpost.runtime.session.stats.SessionStats;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Checks sessions of one machine whose kernels run asynchronously: progress is reported while a session computes, a session with little
 * work is not delayed by one with much work, both get equal shares of the device, concurrent downloads are right, and a segment that runs
 * for too long is ended.
 */
final class SessionsOnGpu {
    private static final int STEPS = 40;
    private static final int FEWEST_TOLD = 3;
    private static final int SMALL_READS = 50;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);
    private static final double LARGEST_RATIO = 1.5;
    private static final int SHARED_TIMES = 4;
    private static final int DOWNLOADS = 3;
    private static final int MAX_DOWNLOADED = 16 << 20;

    private final GpuUnderCheck gpu;
    private final CheckLimits limits;

    SessionsOnGpu(GpuUnderCheck gpu, CheckLimits limits) {
        this.gpu = gpu;
        this.limits = limits;
    }

    GpuFinding run() {
        double segment;
        int told;
        double wait;
        double ratio;
        try (CheckedMachine machine = new CheckedMachine(this::engine);
                HeavyWork heavy = new HeavyWork(machine.machine(), limits.sizes())) {
            segment = seconds(heavy);
            told = progress(machine, heavy);
            try (RemoteMachine other = machine.another();
                    Beside beside = new Beside(heavy)) {
                wait = longestWait(other);
                requireDownloaded(other);
                ratio = ratio(machine, other, beside);
            }
        }
        String ended = endedSegment(segment);
        return GpuFinding.of(
                Map.of("longest wait seconds", wait, "ratio of engine time", ratio),
                "progress was told %d times in %d segments of %.0f ms; a small session waited %.0f ms at most beside one with much to"
                        + " do; of the device's time one got %.2f times as much as the other; %d downloads meanwhile are right; %s",
                told,
                STEPS,
                1e3 * segment,
                1e3 * wait,
                ratio,
                DOWNLOADS,
                ended);
    }

    private Engine engine() {
        return gpu.engines().apply(EngineSettings.DEFAULT);
    }

    /** Returns the time of the program once it is compiled. */
    private double seconds(HeavyWork heavy) {
        heavy.read();
        heavy.read();
        long start = System.nanoTime();
        double sum = heavy.read();
        if (sum != limits.sizes().largeMatrix()) {
            throw new WrongAnswerException("products of ones with the identity sum up to " + sum
                    + " in a row, expected " + limits.sizes().largeMatrix());
        }
        return (System.nanoTime() - start) / 1e9;
    }

    /** Returns how many different counts of segments were observed while these ran. */
    private static int progress(CheckedMachine machine, HeavyWork heavy) {
        SessionStats before = session(machine, 0);
        TreeSet<Long> told = new TreeSet<>();
        for (int step = 0; step < STEPS; step++) {
            heavy.step();
            told.add(session(machine, 0).work().segments());
        }
        CompletableFuture<Void> end = CompletableFuture.runAsync(machine.machine()::synchronize);
        while (!end.isDone()) {
            told.add(session(machine, 0).work().segments());
        }
        end.join();
        long nanos = session(machine, 0).work().engineNanos() - before.work().engineNanos();
        if (told.size() < FEWEST_TOLD || nanos <= 0) {
            throw new WrongAnswerException("progress: " + STEPS + " segments were told of by " + told + " and " + nanos
                    + " ns of the device, expected at least " + FEWEST_TOLD + " counts and some time");
        }
        return told.size();
    }

    private static SessionStats session(CheckedMachine machine, int place) {
        return machine.host().sessions().get(place);
    }

    private static double longestWait(RemoteMachine other) {
        other.ones(1).add(1).itemDouble();
        double longest = 0;
        for (int read = 0; read < SMALL_READS; read++) {
            long start = System.nanoTime();
            double found = other.ones(1).add(read).itemDouble();
            longest = Math.max(longest, (System.nanoTime() - start) / 1e9);
            if (found != 1.0 + read) {
                throw new WrongAnswerException("1 + " + read + " beside another session is " + found);
            }
        }
        if (longest > LONGEST_WAIT.toMillis() / 1e3) {
            throw new WrongAnswerException("a small session waited " + longest
                    + " s beside one with much to do, expected " + LONGEST_WAIT + " at most");
        }
        return longest;
    }

    private void requireDownloaded(RemoteMachine other) {
        int count = (int) Math.min(MAX_DOWNLOADED, limits.sizes().chain());
        float[] elements = new float[count];
        for (int index = 0; index < count; index++) {
            elements[index] = index;
        }
        HostTensor expected = HostTensor.of(elements, count);
        try (Tensor value = other.tensor(expected)) {
            for (int download = 0; download < DOWNLOADS; download++) {
                try (Tensor sum = value.add(0)) {
                    if (!Arrays.equals(expected.bytes(), sum.toHost().bytes())) {
                        throw new WrongAnswerException(
                                "a download beside another session differs from what was uploaded");
                    }
                }
            }
        }
    }

    /** Returns the ratio of the sessions' device times, the larger by the smaller, for equal work. */
    private double ratio(CheckedMachine machine, RemoteMachine other, Beside first) {
        try (HeavyWork same = new HeavyWork(other, limits.sizes());
                Beside second = new Beside(same)) {
            second.awaitStep();
            first.awaitStep();
            List<SessionStats> before = machine.host().sessions();
            sleep(limits.repeatTime().multipliedBy(SHARED_TIMES));
            List<SessionStats> after = machine.host().sessions();
            double one = used(before.get(0), after.get(0));
            double two = used(before.get(1), after.get(1));
            double ratio = Math.max(one, two) / Math.min(one, two);
            // The negated comparison also fails for NaN.
            if (machine.takesTurns() && !(ratio <= LARGEST_RATIO)) {
                throw new WrongAnswerException("two sessions with the same work got " + one + " and " + two
                        + " ns of the device, expected a ratio of " + LARGEST_RATIO + " at most");
            }
            return ratio;
        }
    }

    private static double used(SessionStats before, SessionStats after) {
        return after.work().engineNanos() - before.work().engineNanos();
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    /** Runs on a machine whose time limit is a part of the segments' time. */
    private String endedSegment(double seconds) {
        Duration most = Duration.ofNanos((long) (1e9 * seconds / 4));
        try (CheckedMachine machine = new CheckedMachine(this::engine, Limits.DEFAULT.withSegmentTime(most));
                HeavyWork heavy = new HeavyWork(machine.machine(), limits.sizes())) {
            requireEnded(heavy, most);
            if (machine.machine().ones(1).itemDouble() != 1) {
                throw new WrongAnswerException(
                        "a session computes something else behind a segment that ran for too long");
            }
            return "a segment is ended after " + most.toMillis()
                    + " ms where that is the limit, and its session goes on";
        }
    }

    private static void requireEnded(HeavyWork heavy, Duration most) {
        try {
            heavy.read();
        } catch (RuntimeException expected) {
            if (String.valueOf(expected.getMessage()).contains("have run for over")) {
                return;
            }
            throw expected;
        }
        throw new WrongAnswerException("a segment may run for " + most + ", and ran four times as long");
    }

    /** Runs a program repeatedly, on a separate thread, until it is closed. */
    private static final class Beside implements AutoCloseable {
        private final AtomicBoolean isClosed = new AtomicBoolean();
        private final HeavyWork work;
        private final CompletableFuture<Void> end;
        private volatile long steps;

        Beside(HeavyWork work) {
            this.work = work;
            end = CompletableFuture.runAsync(
                    this::run, task -> Thread.ofPlatform().start(task));
        }

        private void run() {
            while (!isClosed.get()) {
                work.step();
                steps++;
            }
        }

        /** Waits until it begins another step. */
        void awaitStep() {
            long now = steps;
            while (steps == now && !end.isDone()) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void close() {
            isClosed.set(true);
            end.join();
        }
    }
}
