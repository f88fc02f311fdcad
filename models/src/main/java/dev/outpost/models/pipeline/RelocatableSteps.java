package dev.outpost.models.pipeline;

import dev.outpost.HostTensor;
import dev.outpost.models.Decoder;
import dev.outpost.models.Sampling;
import dev.outpost.models.TokenSteps;
import dev.outpost.models.constraint.TokenConstraint;
import dev.outpost.models.sampling.BatchRule;
import dev.outpost.models.sampling.SequenceInit;
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
 * The steps of a batch of texts over a pipeline whose machines may be lost. Where stages move, the texts are computed again as far as
 * their tokens were read, and go on; each step is answered once. Thread-safe by the lock of the model.
 */
final class RelocatableSteps implements TokenSteps {
    /** Texts that are lost with one machine after the other are given up. */
    private static final int MAX_MOVES = 8;

    private final StageSupervisor supervisor;
    private final Decoder described;
    private final ReentrantLock lock;
    private final Deque<CompletableFuture<HostTensor>> promised = new ArrayDeque<>();
    private final Deque<CompletableFuture<HostTensor>> underWay = new ArrayDeque<>();
    /** The tokens of the steps that were answered, by text. */
    private final List<int[]> known = new ArrayList<>();

    private List<int[]> prompts = List.of();
    private Sampling sampling = Sampling.greedy();
    private @Nullable TokenConstraint constraint;
    private @Nullable PipelineSteps steps;
    private @Nullable StageDeployment where;
    private int moves;
    private int failuresWithoutLoss;
    private boolean isEnded;

    /** @param described the decoder, of which nothing is loaded */
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

    /** Refuses wrong requests at once. The loss of a machine is told later. */
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

    /** Whether an answer is waited for. The lock is held. */
    boolean isUnderWay() {
        return !underWay.isEmpty();
    }

    /** A step has failed, and no machine was left out for it; the answer is how often that was so. The lock is held. */
    int failedWithoutLoss() {
        return ++failuresWithoutLoss;
    }

    int failuresWithoutLoss() {
        return failuresWithoutLoss;
    }

    /** Stages are somewhere else now. The lock is held. */
    void restart(StageDeployment now) {
        leave();
        if (++moves > MAX_MOVES) {
            fail(new OutpostException(
                    FaultKind.EXTERNAL, "lan: " + moves + " times a worker was lost while this text was generated"));
            return;
        }
        record(() -> start(now));
    }

    /** Nothing more is computed until stages are somewhere else. The lock is held. */
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
            // A machine that is gone holds nothing any more.
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
        steps = new PipelineSteps(now.stages(), now.links(), rule, lengths);
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
        // Answers come under a lock of the connection, where nothing may wait.
        answer.whenComplete((value, problem) ->
                Thread.ofVirtual().name("outpost-lan-answer").start(this::passOn));
    }

    /** Records; what fails here is as if it had failed later. */
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

    /** Answers all that is promised. The lock is held. */
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
