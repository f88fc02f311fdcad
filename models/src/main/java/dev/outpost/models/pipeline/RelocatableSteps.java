package dev.outpost.models.pipeline;

import dev.outpost.HostTensor;
import dev.outpost.models.BatchRule;
import dev.outpost.models.Sampling;
import dev.outpost.models.SequenceInit;
import dev.outpost.models.TokenSteps;
import dev.outpost.models.architecture.Decoder;
import dev.outpost.models.constraint.TokenConstraint;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a batch of texts over a pipeline whose machines may be lost. If stages move, the texts are computed again up
 * to the tokens that were read, and then continue. Each step completes once. The lock of the model makes it thread-safe.
 */
final class RelocatableSteps implements TokenSteps {
    /** The number of moves after which texts fail. */
    private static final int MAX_MOVES = 8;

    private final StageSupervisor supervisor;
    private final Decoder described;
    private final ReentrantLock lock;
    private final Deque<CompletableFuture<HostTensor>> promised = new ArrayDeque<>();
    private final Deque<CompletableFuture<HostTensor>> underWay = new ArrayDeque<>();
    /** The tokens of each completed step, by text. */
    private final List<int[]> known = new ArrayList<>();

    private List<int[]> prompts = List.of();
    private Sampling sampling = Sampling.greedy();
    private @Nullable TokenConstraint constraint;
    private @Nullable PipelineSteps steps;
    private @Nullable StageDeployment where;
    private int moves;
    private int failuresWithoutLoss;
    private boolean isEnded;

    /** @param described the decoder without weights */
    RelocatableSteps(StageSupervisor supervisor, Decoder described) {
        this.supervisor = supervisor;
        this.described = described;
        this.lock = supervisor.lock();
    }

    @Override
    public CompletableFuture<HostTensor> begin(List<int[]> given, Sampling rule, @Nullable TokenConstraint mustMatch) {
        lock.lock();
        try {
            prompts = given;
            sampling = rule;
            constraint = mustMatch;
            CompletableFuture<HostTensor> first = promise();
            StageDeployment now = supervisor.enter(this);
            if (now != null) {
                startFirst(now);
            }
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** Starts the texts. Wrong requests fail immediately. The loss of a machine is reported to the supervisor. */
    private void startFirst(StageDeployment now) {
        try {
            start(now);
        } catch (RuntimeException failure) {
            leave();
            if (!StageSupervisor.isLoss(failure)) {
                throw failure;
            }
            supervisor.failed(this, now, failure);
        }
    }

    @Override
    public CompletableFuture<HostTensor> next() {
        lock.lock();
        try {
            CompletableFuture<HostTensor> answer = promise();
            PipelineSteps current = steps;
            if (current != null) {
                record(() -> follow(current.next()));
            }
            return answer;
        } finally {
            lock.unlock();
        }
    }

    private CompletableFuture<HostTensor> promise() {
        CompletableFuture<HostTensor> answer = new CompletableFuture<>();
        promised.add(answer);
        return answer;
    }

    /** True if a recorded step has no result yet. The caller holds the lock. */
    boolean isUnderWay() {
        return !underWay.isEmpty();
    }

    /** Counts a failed step for which no machine was excluded, and returns the count. The caller holds the lock. */
    int failedWithoutLoss() {
        return ++failuresWithoutLoss;
    }

    int failuresWithoutLoss() {
        return failuresWithoutLoss;
    }

    /** Starts the texts again after the stages moved. The caller holds the lock. */
    void restart(StageDeployment now) {
        leave();
        if (++moves > MAX_MOVES) {
            fail(new OutpostException(
                    FaultKind.EXTERNAL, "lan: " + moves + " times a worker was lost while this text was generated"));
            return;
        }
        record(() -> start(now));
    }

    /** Stops computing until the stages have moved. The caller holds the lock. */
    void leave() {
        underWay.clear();
        PipelineSteps before = steps;
        steps = null;
        if (before != null) {
            closeQuietly(before);
        }
    }

    private static void closeQuietly(PipelineSteps steps) {
        try {
            steps.close();
        } catch (OutpostException ignored) {
            // A lost machine holds no memory of these steps.
        }
    }

    private void start(StageDeployment now) {
        where = now;
        List<SequenceInit> texts = new ArrayList<>();
        List<Long> lengths = new ArrayList<>();
        long longest = 0;
        BatchRule rule = new BatchRule(sampling, constraint, known.size());
        for (int text = 0; text < prompts.size(); text++) {
            int[] prompt = prompts.get(text);
            long length = prompt.length + (long) sampling.maxTokens();
            texts.add(rule.goingOn(withKnown(prompt, text), prompt.length));
            lengths.add(length);
            longest = Math.max(longest, length);
        }
        now.prepare(longest, described.isLong(longest));
        steps = new PipelineSteps(now.stages(), now.links().orElse(null), rule, lengths);
        follow(steps.begin(texts));
        for (int more = 1; more < promised.size(); more++) {
            follow(steps.next());
        }
    }

    private int[] withKnown(int[] prompt, int text) {
        int[] tokens = Arrays.copyOf(prompt, prompt.length + known.size());
        for (int place = 0; place < known.size(); place++) {
            tokens[prompt.length + place] = known.get(place)[text];
        }
        return tokens;
    }

    private void follow(CompletableFuture<HostTensor> answer) {
        underWay.add(answer);
        // The connection completes answers under its lock, where no code may wait.
        answer.whenComplete((value, problem) ->
                Thread.ofVirtual().name("outpost-lan-answer").start(this::passOn));
    }

    /** Records a step. A failure is handled like the failure of a recorded step. */
    private void record(Runnable recording) {
        try {
            recording.run();
        } catch (RuntimeException failure) {
            leave();
            supervisor.failed(this, where, failure);
        }
    }

    private void passOn() {
        lock.lock();
        try {
            while (!underWay.isEmpty() && underWay.peek().isDone()) {
                CompletableFuture<HostTensor> answer = underWay.peek();
                if (answer.isCompletedExceptionally()) {
                    leave();
                    supervisor.failed(this, where, answer.exceptionNow());
                    return;
                }
                underWay.remove();
                HostTensor row = answer.join();
                known.add(Arrays.stream(row.toLongArray())
                        .mapToInt(Math::toIntExact)
                        .toArray());
                promised.remove().complete(row);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Completes all pending steps with a failure. The caller holds the lock. */
    void fail(Throwable problem) {
        leave();
        while (!promised.isEmpty()) {
            promised.remove().completeExceptionally(problem);
        }
    }

    @Override
    public void end() {
        lock.lock();
        try {
            if (!isEnded) {
                isEnded = true;
                leave();
                promised.clear();
                supervisor.left(this);
            }
        } finally {
            lock.unlock();
        }
    }
}
