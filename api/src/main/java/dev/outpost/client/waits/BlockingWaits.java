package dev.outpost.client.waits;

import dev.outpost.channel.DebugLog;
import dev.outpost.client.calls.SourceLine;
import dev.outpost.client.failures.SessionTermination;
import dev.outpost.client.profile.SessionProfile;
import dev.outpost.protocol.log.InstructionLog;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** The waits of the program for the machine. Counts them, and notes their times in the profile. */
public final class BlockingWaits {
    private final String name;
    private final SessionTermination termination;
    private final InFlightLimiter limiter;
    private final Runnable releaseScans;
    private final Runnable failLateFetches;
    private final ReadLimit limit;
    /** Null if nothing is profiled. */
    private final SessionProfile profile;
    /** Null if nothing is logged. */
    private final InstructionLog log;

    private final AdaptiveSpin spin = AdaptiveSpin.ofProgram();
    private final AtomicLong count = new AtomicLong();

    /**
     * @param releaseScans lets open scans run to their end, because the program waits for later instructions
     * @param failLateFetches fails the fetches that take longer than the limit
     * @param profile null if nothing is profiled
     * @param log null if nothing is logged
     */
    public BlockingWaits(
            String name,
            SessionTermination termination,
            InFlightLimiter limiter,
            Runnable releaseScans,
            Runnable failLateFetches,
            ReadLimit limit,
            SessionProfile profile,
            InstructionLog log) {
        this.name = name;
        this.failLateFetches = failLateFetches;
        this.limit = limit;
        this.termination = termination;
        this.limiter = limiter;
        this.releaseScans = releaseScans;
        this.profile = profile;
        this.log = log;
    }

    /** Returns the number of times that the program waited for an answer. */
    public long count() {
        return count.get();
    }

    /**
     * Asks a question, and waits for the answer like {@link #await}. The question counts as a wait even if the answer
     * comes at once, because asking delayed this thread.
     */
    public <T> T awaitLatest(Supplier<CompletableFuture<T>> question) {
        long start = profile == null ? 0 : profile.now();
        try {
            CompletableFuture<T> answer = question.get();
            count.incrementAndGet();
            return behindScans(answer);
        } finally {
            if (profile != null) {
                profile.waited("look", start, limiter.sealed());
            }
        }
    }

    /** Waits for an event other than an answer. */
    public void during(String what, Runnable wait) {
        flushLog();
        long start = profile == null ? 0 : profile.now();
        DebugLog.CLIENT.print("%s: %s, segment %d", name, what, limiter.sealed());
        try {
            wait.run();
        } finally {
            if (profile != null) {
                profile.waited(what, start, limiter.sealed());
            }
        }
    }

    /** Waits for an answer. Throws the failure of the machine, if there is one. */
    public <T> T await(CompletableFuture<T> answer) {
        if (!answer.isDone()) {
            count.incrementAndGet();
        }
        return behindScans(answer);
    }

    /** Like {@link #awaitLatest}, but may take longer than the limit of reads, because the machine waits for a store. */
    public <T> T awaitStore(Supplier<CompletableFuture<T>> question) {
        CompletableFuture<T> answer = question.get();
        count.incrementAndGet();
        if (!answer.isDone()) {
            releaseScans.run();
        }
        return join(answer, begin -> {});
    }

    private <T> T behindScans(CompletableFuture<T> answer) {
        if (!answer.isDone()) {
            releaseScans.run();
        }
        return join(answer);
    }

    /**
     * Like {@link #await}, but for an emission of a scan. It does not release the scans, because it waits for nothing
     * after the scan.
     */
    public <T> T join(CompletableFuture<T> answer) {
        return join(answer, begin -> check(answer, begin));
    }

    private <T> T join(CompletableFuture<T> answer, LongConsumer check) {
        flushLog();
        long begin = limit.now();
        boolean isPrinted = DebugLog.CLIENT.isOn() && !answer.isDone();
        if (isPrinted) {
            DebugLog.CLIENT.print("%s: waits for an answer at %s", name, SourceLine.ofCaller());
        }
        try {
            return spin.get(answer, limit.checkNanos(), () -> check.accept(begin));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new OutpostException(
                    FaultKind.EXTERNAL, name + ": interrupted while waiting for the machine", interrupted);
        } catch (ExecutionException failure) {
            throw termination.rethrown(failure.getCause());
        } finally {
            if (isPrinted) {
                DebugLog.CLIENT.print("%s: waited %.1f ms", name, (limit.now() - begin) / 1e6);
            }
        }
    }

    /** Flushes the log, so that it shows the last recorded instruction even if the wait hangs. */
    private void flushLog() {
        if (log != null) {
            log.flush();
        }
    }

    /** Fails if the wait takes too long. Late fetches fail first, because their messages have more details. */
    private void check(CompletableFuture<?> answer, long begin) {
        if (limit.isOver(begin)) {
            failLateFetches.run();
            if (!answer.isDone()) {
                limit.require(begin);
            }
        }
    }
}
