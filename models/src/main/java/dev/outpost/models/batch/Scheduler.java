package dev.outpost.models.batch;

import dev.outpost.models.ModelStep;
import dev.outpost.models.StepResult;
import dev.outpost.models.StepResult.TokenLogprobs;
import dev.outpost.models.SequenceInit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Decides what each step computes. Texts that are generated have a token each; what remains of a step goes to prompts, in
 * chunks, and to texts that wait, as long as there are pages for them. Where pages run out, the youngest text of the lowest
 * priority gives its own back and waits; its tokens are computed again when it has its turn. A text that fits into the pool alone
 * always comes to its end, since the oldest is never the one that makes room.
 *
 * <p>Knows no machine and no clock. One thread at a time.
 */
final class Scheduler {
    private static final Comparator<Sequence> OLDEST_FIRST =
            Comparator.<Sequence>comparingInt(text -> -text.request.priority()).thenComparingLong(text -> text.number);

    private final BlockManager pages;
    private final WaitingQueue line = new WaitingQueue();
    private final int stepTokens;
    private final PriorityQueue<Integer> slots = new PriorityQueue<>();
    /** The oldest of the highest priority first. */
    private final List<Sequence> running = new ArrayList<>();

    private long preemptions;
    private long promptTokens;
    private long cachedTokens;

    Scheduler(BlockManager pages, int texts, int stepTokens) {
        this.pages = pages;
        this.stepTokens = Math.max(stepTokens, texts);
        for (int slot = 1; slot <= texts; slot++) {
            slots.add(slot);
        }
    }

    /** A text whose next token a step chooses, as it was when that was decided. */
    private record Choice(Sequence text, int epoch) {}

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
        boolean accept(Sequence text, int token, TokenLogprobs logprobs);

        void finished(Sequence text, Finish.Reason reason);
    }

    void add(Sequence text) {
        line.add(text);
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
    long cachedTokens() {
        return cachedTokens;
    }

    BlockManager pages() {
        return pages;
    }

    /** All texts that are not over. */
    List<Sequence> all() {
        List<Sequence> all = new ArrayList<>(running);
        all.addAll(line.all());
        return all;
    }

    /** The next step; it counts as enqueued. */
    Plan plan() {
        Plan plan = new Plan();
        int singles = (int) running.stream().filter(Sequence::isPrefilled).count();
        // The text that has to make room is younger, and so not in the step yet.
        for (Sequence text : List.copyOf(running)) {
            singles -= text.isPrefilled() ? 1 : 0;
            compute(plan, text, singles);
        }
        admit(plan);
        return plan;
    }

    /** @param reserved rows for texts that come behind */
    private void compute(Plan plan, Sequence text, int reserved) {
        if (text.slot == 0 || text.isFull()) {
            return;
        }
        int count = Math.min(text.total() - text.computed, stepTokens - plan.step.rows() - reserved);
        if (count > 0 && makeRoom(text, text.computed + count)) {
            addRows(plan, text, count);
        }
    }

    /** Whether there are pages now; else the text itself had to go. */
    private boolean makeRoom(Sequence text, int tokens) {
        while (!pages.grow(text, tokens)) {
            Sequence last = running.getLast();
            preempt(last);
            if (last == text) {
                return false;
            }
        }
        return true;
    }

    private void preempt(Sequence text) {
        preemptions++;
        leave(text);
        text.forget();
        line.addPreempted(text);
    }

    private void leave(Sequence text) {
        running.remove(text);
        pages.release(text);
        slots.add(text.slot);
    }

    private void addRows(Plan plan, Sequence text, int count) {
        for (int place = text.computed; place < text.computed + count; place++) {
            int token = place < text.known() ? text.token(place) : ModelStep.LATEST;
            plan.step.add(text.slot, token, place);
        }
        text.computed += count;
        plan.step.pages(
                text.slot, text.pages.stream().mapToInt(Integer::intValue).toArray());
        plan.step.adapter(text.slot, text.request.adapter());
        pages.publish(text);
        if (text.computed == text.total()) {
            plan.step.choose(text.choice());
            plan.choices.add(new Choice(text, text.epoch));
            text.pending++;
        }
    }

    private void admit(Plan plan) {
        while (plan.step.rows() < stepTokens && !slots.isEmpty()) {
            Optional<Sequence> next = line.peek(Scheduler::mayBegin);
            if (next.isEmpty() || !hasRoomFor(next.get())) {
                return;
            }
            begin(plan, next.get());
            compute(plan, next.get(), 0);
        }
    }

    private static boolean mayBegin(Sequence text) {
        Sequence leader = text.leader;
        return leader == null || leader.isOver || leader.computed >= leader.promptLength();
    }

    /** For all its tokens and the next one, with a page left for each text that runs, which may need one soon. */
    private boolean hasRoomFor(Sequence text) {
        BlockManager.Match match = pages.match(text);
        int needed = pages.pagesFor(text.known() + 1) - match.pages();
        return needed + match.idlePages() + running.size() <= pages.available()
                || running.isEmpty() && needed + match.idlePages() <= pages.available();
    }

    private void begin(Plan plan, Sequence text) {
        line.remove(text);
        pages.share(text);
        text.slot = slots.remove();
        SequenceInit beginning = text.beginning();
        if (beginning.matters()) {
            plan.step.begin(text.slot, beginning);
        }
        running.add(text);
        running.sort(OLDEST_FIRST);
        if (text.epoch == 0) {
            text.cached = text.computed;
            promptTokens += text.promptLength();
            cachedTokens += text.cached;
            line.chargePrompt(text.request.key(), text.promptLength() - text.cached);
        }
    }

    /** Takes the choices of a step. Tokens of texts that are over, or were preempted since, are dropped. */
    void complete(Plan plan, StepResult result, Receiver receiver) {
        for (int index = 0; index < plan.choices.size(); index++) {
            Sequence text = plan.choices.get(index).text;
            if (!text.isOver && text.epoch == plan.choices.get(index).epoch) {
                TokenLogprobs logprobs = result.logprobs() == null ? null : result.logprobs()[index];
                complete(text, result.tokens()[index], logprobs, receiver);
            }
        }
    }

    private void complete(Sequence text, int token, TokenLogprobs logprobs, Receiver receiver) {
        text.append(token);
        line.chargeNew(text.request.key());
        boolean goesOn = receiver.accept(text, token, logprobs);
        boolean isFull = text.newTokens() >= text.request.sampling().maxTokens();
        if (!goesOn || isFull) {
            end(text);
            receiver.finished(text, goesOn ? Finish.Reason.LENGTH : Finish.Reason.STOP);
        }
    }

    /** A text is over, wherever it is; its pages are free for the next step. */
    void end(Sequence text) {
        if (text.isOver) {
            return;
        }
        text.isOver = true;
        if (text.slot > 0) {
            leave(text);
        } else {
            line.remove(text);
        }
    }
}
