package dev.outpost.inference;

import dev.outpost.inference.StepResult.TokenLogprobs;
import dev.outpost.models.SequenceInit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Decides what each step computes. Each text that is being generated gets one token. The rest of the step goes to prompts, in chunks, and
 * to waiting texts, as long as blocks are available. If blocks run out, the youngest running text of the lowest priority is preempted. Its
 * blocks are released, it waits, and its tokens are computed again later. The oldest text is never preempted, so every text that fits into
 * the pool by itself finishes.
 *
 * <p>Uses neither a machine nor a clock. Not thread-safe.
 */
final class Scheduler {
    private static final Comparator<Sequence> OLDEST_FIRST = Comparator.<Sequence>comparingInt(
                    sequence -> -sequence.request.priority())
            .thenComparingLong(sequence -> sequence.number);

    private final BlockManager blockManager;
    private final WaitingQueue line = new WaitingQueue();
    private final int maxNumBatchedTokens;
    private final PriorityQueue<Integer> slots = new PriorityQueue<>();
    /** The running texts: the highest priority first, and the oldest first within a priority. */
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

    /** A text for which a step chooses a token, and the epoch of the text at that time. */
    private record Choice(Sequence sequence, int epoch) {}

    /** The content of a step. */
    static final class Plan {
        final ModelStep step = new ModelStep();
        private final List<Choice> choices = new ArrayList<>();

        boolean isEmpty() {
            return step.rows() == 0;
        }
    }

    /** Receives the tokens of the texts. */
    interface Receiver {
        /** Returns true to continue the text, false to end it. */
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

    /** Returns the total prompt tokens of the texts that have begun. */
    long promptTokens() {
        return promptTokens;
    }

    /** Returns the prompt tokens that were served from the cache. */
    long numCachedTokens() {
        return numCachedTokens;
    }

    BlockManager blockManager() {
        return blockManager;
    }

    /** Returns all texts that have not ended. */
    List<Sequence> all() {
        List<Sequence> all = new ArrayList<>(running);
        all.addAll(line.all());
        return all;
    }

    /** Returns the next step, and treats it as enqueued. */
    Plan schedule() {
        Plan plan = new Plan();
        int singles = (int) running.stream().filter(Sequence::isPrefilled).count();
        // A text that is preempted here is later in this order, so the step has no rows of it yet.
        for (Sequence sequence : List.copyOf(running)) {
            singles -= sequence.isPrefilled() ? 1 : 0;
            scheduleRows(plan, sequence, singles);
        }
        admit(plan);
        return plan;
    }

    /** @param reserved rows to leave free for the texts that follow */
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

    /** Preempts texts until this text has its blocks. Returns false if this text itself was preempted. */
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

    /**
     * True if blocks are available for the text and its next token, plus one block for each running text. If no text
     * runs, true if the text fits.
     */
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

    /** Processes the choices of a step. Drops choices for texts that have ended or were preempted since. */
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

    /** Ends a text, whether it runs or waits. The next step can use its blocks. */
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
