package dev.outpost.inference;

import dev.outpost.inference.StepResult.TokenLogprobs;
import dev.outpost.models.Sampling;
import dev.outpost.models.SamplingMetadata;
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
 * Generates texts for many callers with one model. Texts join and leave at every step. The engine's thread asks the scheduler
 * for steps, enqueues them, and passes tokens to the sinks. If the machine fails, all texts fail and the engine stops.
 *
 * <p>Thread-safe. Texts do not change each other's tokens, except for rounding, which depends on the batch size.
 */
public final class BatchEngine implements AutoCloseable {
    /** The assumed rate in tokens per second, until a rate has been measured. */
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
    /** Guards the submission of texts. */
    private final Object submitLock = new Object();
    /** The number of submitted texts that are not yet in the scheduler. */
    private int arriving;
    /** The number of texts that wait in the scheduler. */
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

    /**
     * Starts an engine. Afterwards only the engine's thread uses the runner. The caller closes the runner after the engine.
     */
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

    /** A submitted text. Thread-safe. */
    public final class RequestHandle {
        private final Sequence sequence;

        private RequestHandle(Sequence sequence) {
            this.sequence = sequence;
        }

        /**
         * Cancels the text, for example because its caller has disconnected. Its blocks are free before the next
         * step. Does nothing if the text has ended.
         */
        public void cancel() {
            commands.add(() -> end(sequence, Finish.Reason.CANCELLED));
        }
    }

    /** Returns the maximum number of tokens of a text, including its prompt. */
    public int textTokens() {
        return textTokens;
    }

    public BatchStatistics statistics() {
        return statistics;
    }

    /** True if the engine still generates, which means that it has not stopped and is not being closed. */
    public boolean isRunning() {
        return stopped == null && !isClosing;
    }

    /** Waits until the engine has stopped for any reason. */
    public void awaitEnd() throws InterruptedException {
        over.await();
    }

    /** Returns why the engine stopped; null while it runs, or if it was closed. */
    public Throwable failure() {
        EngineStoppedException seen = stopped;
        return seen == null ? null : seen.getCause();
    }

    /** Submits a text. Fails if the request is invalid or the queue is full. */
    public RequestHandle submit(BatchRequest request) {
        return submit(List.of(request)).getFirst();
    }

    /** Submits texts with the same prompt, which is computed once. Accepts either all of them or none. */
    public List<RequestHandle> submit(List<BatchRequest> requests) {
        requests.forEach(this::check);
        long now = System.nanoTime();
        synchronized (submitLock) {
            requireOpen();
            int before = waiting + arriving;
            // If no text waits, accept a request with any number of texts.
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

    /** Estimates the time until the waiting texts are done, assuming 64 tokens for each. */
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
                    "expected an adapter from 0 to " + adapters + ", got " + request.adapter());
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
            throw new IllegalArgumentException("expected tokens from 0 to " + (vocabulary - 1) + ", got " + token);
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
            stop(new EngineStoppedException("the machine has failed: " + failure.getMessage(), failure));
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

    /** Enqueues a step. Reads the result of the oldest step if the maximum number of steps is enqueued. */
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
        // The wake-up command may already be consumed, but these flags are set before it is sent.
        if (isClosing || isDraining && isIdle()) {
            return;
        }
        // If texts wait but none runs, only deadlines need a check, so poll with a timeout.
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

    /** Passes tokens to the sinks. */
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

    /** Accepts no more texts, and waits until all are finished. Returns false if they are not finished in time. */
    public boolean drain(Duration most) throws InterruptedException {
        isDraining = true;
        commands.add(() -> {});
        return over.await(most.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Ends all texts and the thread. Waits for the step under way. */
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

    /**
     * Computes steps of the usual sizes, so that the first texts do not wait for compilation. Call it before the engine has
     * the runner.
     */
    public static void warmUp(ModelRunner runner, BatchSettings settings) {
        int maxNumSeqs = runner.texts();
        for (int rows :
                new int[] {1, 2, 4, 8, 16, Math.min(32, settings.maxNumBatchedTokens()), settings.maxNumBatchedTokens()
                }) {
            ModelStep step = new ModelStep();
            int count = Math.min(rows, Math.max(maxNumSeqs, settings.maxNumBatchedTokens()));
            for (int row = 0; row < count; row++) {
                // Slot 0 belongs to no text, so these rows write to the spare block.
                step.add(0, 0, 0);
                if (row < maxNumSeqs && rows <= maxNumSeqs) {
                    step.choose(SamplingMetadata.BEST);
                }
            }
            runner.run(step).join();
        }
    }
}
