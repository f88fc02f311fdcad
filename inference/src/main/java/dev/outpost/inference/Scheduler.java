package dev.outpost.inference;

import dev.outpost.inference.StepResult.TokenLogprobs;
import dev.outpost.models.sampling.SequenceInit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Decides what each step computes. Texts that are generated have a token each; what remains of a step goes to prompts, in
 * chunks, and to texts that wait, as long as there are blocks for them. Where blocks run out, the youngest text of the lowest
 * priority gives its own back and waits; its tokens are computed again when it has its turn. A text that fits into the pool alone
 * always comes to its end, since the oldest is never the one that makes room.
 *
 * <p>Knows no machine and no clock. One thread at a time.
 */
final class Scheduler {
    private static final Comparator<Sequence> OLDEST_FIRST = Comparator.<Sequence>comparingInt(
                    sequence -> -sequence.request.priority())
            .thenComparingLong(sequence -> sequence.number);

    private final BlockManager blockManager;
    private final WaitingQueue line = new WaitingQueue();
    private final int maxNumBatchedTokens;
    private final PriorityQueue<Integer> slots = new PriorityQueue<>();
    /** The oldest of the highest priority first. */
    private final List<Sequence> running = new ArrayList<>();

    private long preemptions;
    private long promptTokens;
    private long numCachedTokens;

    Scheduler(BlockManager blockManager, int maxNumSeqs, int maxNumBatchedTokens) {
        this.blockManager = blockManager;
        this.maxNumBatchedTokens = Math.max(maxNumBatchedTokens, maxNumSeqs);
        for (int slot = 1; slot <= maxNumSeqs; slot++) {
            slots.add(slot);
        }
    }

    /** A text whose next token a step chooses, as it was when that was decided. */
    private record Choice(Sequence sequence, int epoch) {}

    /** The computation of a step. */
    static final class Plan {
        final ModelStep step = new ModelStep();
        private final List<Choice> choices = new ArrayList<>();

        boolean isEmpty() {
            return step.rows() == 0;
        }
    }

    /** The receiver of a text's tokens. */
    interface Receiver {
        /** Whether the text goes on. */
        boolean accept(Sequence sequence, int token, TokenLogprobs logprobs);

        void finished(Sequence sequence, Finish.Reason reason);
    }

    void add(Sequence sequence) {
        line.add(sequence);
    }

    int waiting() {
        return line.size();
    }

    int running() {
        return running.size();
    }

    long preemptions() {
        return preemptions;
    }

    /** Of all prompts that have begun. */
    long promptTokens() {
        return promptTokens;
    }

    /** Of them, those that were computed for another text before. */
    long numCachedTokens() {
        return numCachedTokens;
    }

    BlockManager blockManager() {
        return blockManager;
    }

    /** All texts that are not over. */
    List<Sequence> all() {
        List<Sequence> all = new ArrayList<>(running);
        all.addAll(line.all());
        return all;
    }

    /** The next step; it counts as enqueued. */
    Plan schedule() {
        Plan plan = new Plan();
        int singles = (int) running.stream().filter(Sequence::isPrefilled).count();
        // The text that has to make room is younger, and so not in the step yet.
        for (Sequence sequence : List.copyOf(running)) {
            singles -= sequence.isPrefilled() ? 1 : 0;
            scheduleRows(plan, sequence, singles);
        }
        admit(plan);
        return plan;
    }

    /** @param reserved rows for texts that come behind */
    private void scheduleRows(Plan plan, Sequence sequence, int reserved) {
        if (sequence.slot == 0 || sequence.isFull()) {
            return;
        }
        int count = Math.min(
                sequence.total() - sequence.numComputedTokens, maxNumBatchedTokens - plan.step.rows() - reserved);
        if (count > 0 && preemptUntilFits(sequence, sequence.numComputedTokens + count)) {
            addRows(plan, sequence, count);
        }
    }

    /** Whether there are blocks now; else the text itself had to go. */
    private boolean preemptUntilFits(Sequence sequence, int tokens) {
        while (!blockManager.append(sequence, tokens)) {
            Sequence last = running.getLast();
            preempt(last);
            if (last == sequence) {
                return false;
            }
        }
        return true;
    }

    private void preempt(Sequence sequence) {
        preemptions++;
        finish(sequence);
        sequence.forget();
        line.addPreempted(sequence);
    }

    private void finish(Sequence sequence) {
        running.remove(sequence);
        blockManager.release(sequence);
        slots.add(sequence.slot);
    }

    private void addRows(Plan plan, Sequence sequence, int count) {
        for (int place = sequence.numComputedTokens; place < sequence.numComputedTokens + count; place++) {
            int token = place < sequence.known() ? sequence.token(place) : ModelStep.LATEST;
            plan.step.add(sequence.slot, token, place);
        }
        sequence.numComputedTokens += count;
        plan.step.blocks(
                sequence.slot,
                sequence.blockTable.stream().mapToInt(Integer::intValue).toArray());
        plan.step.adapter(sequence.slot, sequence.request.adapter());
        blockManager.cache(sequence);
        if (sequence.numComputedTokens == sequence.total()) {
            plan.step.choose(sequence.choice());
            plan.choices.add(new Choice(sequence, sequence.epoch));
            sequence.numPendingTokens++;
        }
    }

    private void admit(Plan plan) {
        while (plan.step.rows() < maxNumBatchedTokens && !slots.isEmpty()) {
            Optional<Sequence> next = line.peek(Scheduler::mayBegin);
            if (next.isEmpty() || !hasRoomFor(next.get())) {
                return;
            }
            begin(plan, next.get());
            scheduleRows(plan, next.get(), 0);
        }
    }

    private static boolean mayBegin(Sequence sequence) {
        Sequence prefillLeader = sequence.prefillLeader;
        return prefillLeader == null
                || prefillLeader.isOver
                || prefillLeader.numComputedTokens >= prefillLeader.promptLength();
    }

    /** For all its tokens and the next one, with a block left for each text that runs, which may need one soon. */
    private boolean hasRoomFor(Sequence sequence) {
        BlockManager.Match match = blockManager.match(sequence);
        int needed = blockManager.blocksFor(sequence.known() + 1) - match.blocks();
        return needed + match.idleBlocks() + running.size() <= blockManager.available()
                || running.isEmpty() && needed + match.idleBlocks() <= blockManager.available();
    }

    private void begin(Plan plan, Sequence sequence) {
        line.remove(sequence);
        blockManager.allocate(sequence);
        sequence.slot = slots.remove();
        SequenceInit init = sequence.beginning();
        if (init.matters()) {
            plan.step.begin(sequence.slot, init);
        }
        running.add(sequence);
        running.sort(OLDEST_FIRST);
        if (sequence.epoch == 0) {
            sequence.numCachedTokens = sequence.numComputedTokens;
            promptTokens += sequence.promptLength();
            numCachedTokens += sequence.numCachedTokens;
            line.chargePrompt(sequence.request.key(), sequence.promptLength() - sequence.numCachedTokens);
        }
    }

    /** Takes the choices of a step. Tokens of texts that are over, or were preempted since, are dropped. */
    void complete(Plan plan, StepResult result, Receiver receiver) {
        for (int index = 0; index < plan.choices.size(); index++) {
            Sequence sequence = plan.choices.get(index).sequence;
            if (!sequence.isOver && sequence.epoch == plan.choices.get(index).epoch) {
                TokenLogprobs logprobs = result.logprobs() == null ? null : result.logprobs()[index];
                complete(sequence, result.tokens()[index], logprobs, receiver);
            }
        }
    }

    private void complete(Sequence sequence, int token, TokenLogprobs logprobs, Receiver receiver) {
        sequence.append(token);
        line.chargeNew(sequence.request.key());
        boolean goesOn = receiver.accept(sequence, token, logprobs);
        boolean isFull = sequence.newTokens() >= sequence.request.sampling().maxTokens();
        if (!goesOn || isFull) {
            end(sequence);
            receiver.finished(sequence, goesOn ? Finish.Reason.LENGTH : Finish.Reason.STOP);
        }
    }

    /** A text is over, wherever it is; its blocks are free for the next step. */
    void end(Sequence sequence) {
        if (sequence.isOver) {
            return;
        }
        sequence.isOver = true;
        if (sequence.slot > 0) {
            finish(sequence);
        } else {
            line.remove(sequence);
        }
    }
}
