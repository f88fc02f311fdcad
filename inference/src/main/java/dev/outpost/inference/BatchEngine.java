package dev.outpost.inference;

import dev.outpost.inference.StepResult.TokenLogprobs;
import dev.outpost.models.Sampling;
import dev.outpost.models.sampling.SamplingMetadata;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Generates texts of many callers with one model: texts join and leave at every step. A thread of its own asks the scheduler
 * for steps, enqueues them, and hands tokens out. Where the machine fails, all texts fail, and the engine is over.
 *
 * <p>Thread-safe. What it does for one text does not change another's tokens, but for the rounding of products of other sizes.
 */
public final class BatchEngine implements AutoCloseable {
    /** Tokens a second that are assumed until there is a figure. */
    private static final double ASSUMED_RATE = 20;

    private static final long MAX_RETRY_SECONDS = 60;

    private final Function<ModelStep, CompletableFuture<StepResult>> runner;
    private final int vocabulary;
    private final int textTokens;
    private final int adapters;
    private final Set<Integer> ends;
    private final BatchSettings settings;
    private final BatchListener listener;
    private final Scheduler scheduler;
    private final LinkedBlockingQueue<Runnable> commands = new LinkedBlockingQueue<>();
    private final Deque<InFlightStep> flights = new ArrayDeque<>();
    /** Guards who comes in. */
    private final Object submitLock = new Object();
    /** Texts that the scheduler has not heard of yet. */
    private int arriving;
    /** Texts that wait by the scheduler's account. */
    private int waiting;

    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread;

    private volatile BatchStatistics statistics;
    private volatile double tokenRate = ASSUMED_RATE;
    private volatile boolean isDraining;
    private volatile boolean isClosing;
    private volatile EngineStoppedException stopped;
    private long lastNumber;
    private long newTokens;

    private record InFlightStep(Scheduler.Plan plan, CompletableFuture<StepResult> result, long begun) {}

    /** Starts one. The runner is used by the engine's thread alone from now on, and closed by the caller behind the engine's end. */
    public BatchEngine(ModelRunner runner, BatchSettings settings, BatchListener listener) {
        this(
                runner::run,
                new BlockManager(runner.blocks(), ModelRunner.blockSize()),
                runner.texts(),
                runner.textTokens(),
                runner.vocabulary(),
                runner.adapters(),
                runner.model().ends(),
                settings,
                listener);
    }

    BatchEngine(
            Function<ModelStep, CompletableFuture<StepResult>> runner,
            BlockManager blockManager,
            int maxNumSeqs,
            int textTokens,
            int vocabulary,
            int adapters,
            Set<Integer> ends,
            BatchSettings settings,
            BatchListener listener) {
        this.runner = runner;
        this.textTokens = Math.min(textTokens, blockManager.numBlocks() * blockManager.blockSize());
        this.vocabulary = vocabulary;
        this.adapters = adapters;
        this.ends = ends;
        this.settings = settings;
        this.listener = listener;
        scheduler = new Scheduler(blockManager, maxNumSeqs, settings.maxNumBatchedTokens());
        deliver();
        thread = Thread.ofPlatform().name("outpost-batch").daemon().start(this::run);
    }

    /** A text under way. Thread-safe. */
    public final class RequestHandle {
        private final Sequence sequence;

        private RequestHandle(Sequence sequence) {
            this.sequence = sequence;
        }

        /** Its caller has gone: its blocks are free before the next step. Does nothing where it is over. */
        public void cancel() {
            commands.add(() -> end(sequence, Finish.Reason.CANCELLED));
        }
    }

    /** How many tokens a text can have, its prompt included. */
    public int textTokens() {
        return textTokens;
    }

    public BatchStatistics statistics() {
        return statistics;
    }

    /** Whether its thread is at work. */
    public boolean isRunning() {
        return stopped == null && !isClosing;
    }

    /** Completes when the engine is over, whatever ended it. */
    public void awaitEnd() throws InterruptedException {
        over.await();
    }

    /** Why it is over; null while it is not, or where it was closed. */
    public Throwable failure() {
        EngineStoppedException seen = stopped;
        return seen == null ? null : seen.getCause();
    }

    /** Begins with a text; refuses what cannot be generated, and what would wait in too long a line. */
    public RequestHandle submit(BatchRequest request) {
        return submit(List.of(request)).getFirst();
    }

    /** Begins with texts of one prompt, which is computed once. All of them or none. */
    public List<RequestHandle> submit(List<BatchRequest> requests) {
        requests.forEach(this::check);
        long now = System.nanoTime();
        synchronized (submitLock) {
            requireOpen();
            int before = waiting + arriving;
            // A request that waits behind no other is let in, however many texts it has.
            if (before > 0 && before + requests.size() > settings.waiting()) {
                throw new QueueFullException(before, retryAfter(before));
            }
            List<RequestHandle> handles = new ArrayList<>();
            Sequence prefillLeader = null;
            for (BatchRequest request : requests) {
                Sequence sequence = new Sequence(request, ++lastNumber, prefillLeader, now);
                prefillLeader = prefillLeader == null ? sequence : prefillLeader;
                arriving++;
                commands.add(() -> arrive(sequence));
                handles.add(new RequestHandle(sequence));
            }
            return handles;
        }
    }

    private void requireOpen() {
        if (stopped != null) {
            throw stopped;
        }
        if (isClosing || isDraining) {
            throw new EngineStoppedException("the server is shutting down", null);
        }
    }

    private void arrive(Sequence sequence) {
        scheduler.add(sequence);
        synchronized (submitLock) {
            arriving--;
            waiting = scheduler.waiting();
        }
    }

    private void countWaiting() {
        synchronized (submitLock) {
            waiting = scheduler.waiting();
        }
    }

    /** Until as many texts of a middling length have been generated as wait. */
    private Duration retryAfter(int maxNumSeqs) {
        double seconds = maxNumSeqs * 64 / Math.max(tokenRate, 1e-3);
        return Duration.ofSeconds(Math.clamp((long) Math.ceil(seconds), 1, MAX_RETRY_SECONDS));
    }

    private void check(BatchRequest request) {
        Sampling sampling = request.sampling();
        if (request.prompt().length == 0) {
            throw new IllegalArgumentException("the prompt has no tokens");
        }
        for (int token : request.prompt()) {
            requireToken(token);
        }
        sampling.logitBias().keySet().forEach(this::requireToken);
        if (request.constraint() != null && request.constraint().vocabulary() != vocabulary) {
            throw new IllegalArgumentException("the constraint is for "
                    + request.constraint().vocabulary() + " tokens, and the model has " + vocabulary);
        }
        if (request.adapter() < 0 || request.adapter() > adapters) {
            throw new IllegalArgumentException(
                    "adapters from 0 to " + adapters + " are known, and not " + request.adapter());
        }
        long tokens = (long) request.prompt().length + sampling.maxTokens();
        if (tokens > textTokens) {
            throw new IllegalArgumentException("this model's maximum context length is " + textTokens
                    + " tokens, and " + tokens + " are asked for: " + request.prompt().length + " of the prompt and "
                    + sampling.maxTokens() + " new ones");
        }
    }

    private void requireToken(int token) {
        if (token < 0 || token >= vocabulary) {
            throw new IllegalArgumentException("tokens from 0 to " + (vocabulary - 1) + " are known, and not " + token);
        }
    }

    private void run() {
        try {
            while (!isClosing && !(isDraining && isIdle())) {
                takeCommands();
                failLate();
                advance();
                deliver();
            }
            stop(new EngineStoppedException("the server is shutting down", null));
        } catch (RuntimeException | Error failure) {
            stop(new EngineStoppedException("the machine that computes has failed: " + failure.getMessage(), failure));
        } catch (InterruptedException interrupted) {
            stop(new EngineStoppedException("the engine was interrupted", interrupted));
            Thread.currentThread().interrupt();
        }
    }

    private boolean isIdle() {
        return commands.isEmpty() && flights.isEmpty() && scheduler.running() == 0 && scheduler.waiting() == 0;
    }

    private void takeCommands() {
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            command.run();
        }
    }

    private void failLate() {
        long now = System.nanoTime();
        for (Sequence sequence : scheduler.all()) {
            long deadline = sequence.request.deadlineNanos();
            if (deadline != Long.MAX_VALUE && now - deadline >= 0) {
                scheduler.end(sequence);
                sequence.request.sink().failed(new DeadlineException(sequence.newTokens()));
            }
        }
    }

    /** Enqueues a step, and reads one where enough are enqueued. */
    private void advance() throws InterruptedException {
        Scheduler.Plan plan = scheduler.schedule();
        countWaiting();
        if (!plan.isEmpty()) {
            flights.add(new InFlightStep(plan, runner.apply(plan.step), System.nanoTime()));
        }
        if (flights.size() > settings.ahead() || plan.isEmpty() && !flights.isEmpty()) {
            complete(flights.remove());
        } else if (plan.isEmpty()) {
            awaitCommand();
        }
    }

    private void awaitCommand() throws InterruptedException {
        deliver();
        // The wake-up may have been taken with other commands; the reason is set before it.
        if (isClosing || isDraining && isIdle()) {
            return;
        }
        // Texts that wait although nothing runs have a deadline at most.
        Runnable command = scheduler.waiting() == 0 ? commands.take() : commands.poll(10, TimeUnit.MILLISECONDS);
        if (command != null) {
            command.run();
        }
    }

    private void complete(InFlightStep flight) {
        StepResult result;
        try {
            result = flight.result.join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
        }
        scheduler.complete(flight.plan, result, new TokenDelivery());
        long nanos = System.nanoTime() - flight.begun;
        listener.step(flight.plan.step.rows(), nanos);
        if (flight.plan.step.chosen() > 0 && nanos > 0) {
            double rate = flight.plan.step.chosen() * 1e9 / nanos;
            tokenRate += 0.1 * (rate - tokenRate);
        }
    }

    /** Hands tokens out. */
    private final class TokenDelivery implements Scheduler.Receiver {
        @Override
        public boolean accept(Sequence sequence, int token, TokenLogprobs logprobs) {
            newTokens++;
            time(sequence);
            boolean mayEnd = !sequence.request.sampling().ignoresEnd() || sequence.request.constraint() != null;
            boolean isEnd = mayEnd && ends.contains(token);
            return !isEnd && sequence.request.sink().accept(token, logprobs) && !sequence.isWhole();
        }

        private void time(Sequence sequence) {
            long now = System.nanoTime();
            if (sequence.newTokens() == 1) {
                listener.firstToken(now - sequence.arrivedNanos);
            } else {
                listener.nextToken(now - sequence.lastTokenNanos);
            }
            sequence.lastTokenNanos = now;
        }

        @Override
        public void finished(Sequence sequence, Finish.Reason reason) {
            reportEnd(sequence, reason);
        }
    }

    private void end(Sequence sequence, Finish.Reason reason) {
        if (!sequence.isOver) {
            scheduler.end(sequence);
            reportEnd(sequence, reason);
        }
    }

    private void reportEnd(Sequence sequence, Finish.Reason reason) {
        Finish finish = sequence.finish(reason);
        listener.finished(finish, System.nanoTime() - sequence.arrivedNanos);
        sequence.request.sink().finished(finish);
    }

    private void deliver() {
        BlockManager blockManager = scheduler.blockManager();
        countWaiting();
        statistics = new BatchStatistics(
                scheduler.running(),
                scheduler.waiting(),
                blockManager.numBlocks(),
                blockManager.available(),
                scheduler.preemptions(),
                scheduler.promptTokens(),
                scheduler.numCachedTokens(),
                newTokens);
    }

    private void stop(EngineStoppedException reason) {
        synchronized (submitLock) {
            stopped = reason;
        }
        takeCommands();
        for (Sequence sequence : scheduler.all()) {
            scheduler.end(sequence);
            sequence.request.sink().failed(reason);
        }
        deliver();
        over.countDown();
    }

    /** Takes no more texts, and waits until those that it has are whole. False where they are not by then. */
    public boolean drain(Duration most) throws InterruptedException {
        isDraining = true;
        commands.add(() -> {});
        return over.await(most.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Ends all texts and the thread; waits for the step under way. */
    @Override
    public void close() {
        isClosing = true;
        commands.add(() -> {});
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Computes steps of the sizes that occur, so that the first texts do not wait for their programs. Before the engine has the runner. */
    public static void warmUp(ModelRunner runner, BatchSettings settings) {
        int maxNumSeqs = runner.texts();
        for (int rows :
                new int[] {1, 2, 4, 8, 16, Math.min(32, settings.maxNumBatchedTokens()), settings.maxNumBatchedTokens()
                }) {
            ModelStep step = new ModelStep();
            int count = Math.min(rows, Math.max(maxNumSeqs, settings.maxNumBatchedTokens()));
            for (int row = 0; row < count; row++) {
                // Of no text: what they write goes to the block that belongs to none.
                step.add(0, 0, 0);
                if (row < maxNumSeqs && rows <= maxNumSeqs) {
                    step.choose(SamplingMetadata.BEST);
                }
            }
            runner.run(step).join();
        }
    }
}
