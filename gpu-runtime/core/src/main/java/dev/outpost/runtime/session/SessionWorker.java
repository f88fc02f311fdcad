package dev.outpost.runtime.session;

import com.google.protobuf.UnsafeByteOperations;
import dev.outpost.channel.delivery.Lanes;
import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.protocol.bytes.DeltaEncodedList;
import dev.outpost.protocol.message.Explain;
import dev.outpost.protocol.message.Explained;
import dev.outpost.protocol.message.Farewell;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.Feature;
import dev.outpost.protocol.message.KeptSession;
import dev.outpost.protocol.message.Own;
import dev.outpost.protocol.message.RuntimeRequest;
import dev.outpost.protocol.message.SaveRequest;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.message.Trace;
import dev.outpost.protocol.message.Traced;
import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.session.fetch.AsyncReplies;
import dev.outpost.runtime.session.fetch.FetchHandler;
import dev.outpost.runtime.session.fetch.Replies;
import dev.outpost.runtime.session.fetch.Reply;
import dev.outpost.runtime.session.fetch.SyncReplies;
import dev.outpost.runtime.session.program.ProgramRunner;
import dev.outpost.runtime.session.program.Programs;
import dev.outpost.runtime.session.run.EngineTracer;
import dev.outpost.runtime.session.run.ExplainLog;
import dev.outpost.runtime.session.run.KernelLauncher;
import dev.outpost.runtime.session.run.ProgressReports;
import dev.outpost.runtime.session.run.SegmentExecutor;
import dev.outpost.runtime.session.run.SessionContext;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The thread that executes a session's messages in order. It owns the session's values, and frees each after the last
 * kernel that uses it, however the session ends. It holds a time slice of the engine while it has segments to run. It
 * releases the slice before it waits for anything except its own kernels.
 */
final class SessionWorker {
    private static final byte[] NOTHING = new byte[0];
    private static final int OWNER_BYTES = 32;

    private final Session session;
    private final SessionContext context;
    private final WorkQueue queue;
    private final SourceAnswers answers;
    private final ReliableLane control;
    private final Replies replies;
    private final FetchHandler fetchHandler;
    private final ProgressReports reports;
    private final IncomingSegments segments;
    private final KernelLauncher launcher;
    private final ExplainLog explainLog;
    private final SegmentExecutor executor;
    private final Programs programs;
    private final ProgramRunner programRunner;
    private final KeptValues kept = new KeptValues();
    private final SessionStates states;
    private final Thread thread;
    /**
     * Counted down when the thread ends. A virtual thread may wait for it. {@link Thread#join(Duration)} may never return (JDK-8373120).
     */
    private final CountDownLatch ended = new CountDownLatch(1);

    /** True if an update has run, or was skipped, since the latest report. Used by the thread that sends replies. */
    private boolean hasUpdated;

    private volatile boolean finished;

    SessionWorker(Session session, SessionContext context, Lanes lanes, WorkQueue queue, SourceAnswers answers) {
        this.session = session;
        this.context = context;
        this.queue = queue;
        this.answers = answers;
        this.control = lanes.control();
        this.replies = context.device() == null
                ? new SyncReplies()
                : new AsyncReplies(context.session(), context.slice(), this::reportIfDue, this::fail);
        this.fetchHandler = new FetchHandler(context, lanes, replies, this::fail);
        this.reports = new ProgressReports(
                context, lanes.control(), replies.areImmediate() ? context.slice()::release : () -> {});
        this.segments = new IncomingSegments(context);
        this.launcher = new KernelLauncher(context, session::isOver);
        this.explainLog = new ExplainLog(context);
        this.executor = new SegmentExecutor(context, launcher, explainLog);
        this.programs = new Programs(context.runtime().limitCounters());
        this.programRunner = new ProgramRunner(context, executor, launcher, fetchHandler, reports, replies);
        this.states = new SessionStates(context, programs, executor.rematerializations(), kept, answers);
        this.thread = Thread.ofPlatform()
                .name("outpost-session-" + context.session())
                .daemon()
                .unstarted(this::runToTheEnd);
    }

    private void runToTheEnd() {
        try {
            run();
        } finally {
            ended.countDown();
        }
    }

    void start() {
        thread.start();
    }

    /** Makes the thread stop soon, after the kernel that runs now. */
    void stop() {
        if (Thread.currentThread() != thread) {
            thread.interrupt();
        }
    }

    /** Returns true if the thread stopped and freed all values within the time. */
    boolean awaitStop(Duration atMost) throws InterruptedException {
        return thread.getState() == Thread.State.NEW || ended.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Returns true if a reply still waits for the device. */
    boolean isAnyReplyWaiting() {
        return replies.areAnyWaiting();
    }

    KeptValues kept() {
        return kept;
    }

    /** Returns true while a state is saved or restored. */
    boolean isMovingState() {
        return states.isAtWork();
    }

    /** Returns true if all messages up to the end of the queue were executed and their answers handed to the lanes. */
    boolean isFinished() {
        return finished;
    }

    /** Returns the session's latest instructions as text without values. Thread-safe. */
    List<String> instructions(int max) {
        return explainLog.instructions(max);
    }

    private void run() {
        ToRuntime.InTurn last = null;
        Throwable failure = null;
        try {
            last = executeAll();
        } catch (Throwable problem) {
            failure = problem;
        }
        // Memory is freed before the failure is reported, because the report itself needs memory.
        Throwable unfreed = freeAllOrFail();
        if (failure == null) {
            failure = unfreed;
        }
        if (failure != null) {
            fail(failure);
            return;
        }
        if (last == WorkQueue.END) {
            finished = true;
        } else if (last != null) {
            session.leave(Farewell.newBuilder()
                    .addAllUnseen(context.faults().unseen())
                    .build());
        }
    }

    /** Frees everything, and returns the failure if that fails: a client that hears of no failure would wait forever. Null if all is free. */
    private Throwable freeAllOrFail() {
        try {
            freeAll();
            return null;
        } catch (Throwable failure) {
            return failure;
        }
    }

    private void fail(Throwable failure) {
        switch (failure) {
            case InterruptedException stopped -> {
                // The code that ended the session has stored the reason already.
            }
            case OutpostException broken -> session.end(FaultMessages.of(broken));
            default -> {
                session.end(FaultMessages.of(FaultKind.INTERNAL, "the session failed on the machine: " + failure));
                context.runtime().internalErrorLog().report("session " + context.session() + " failed", failure);
            }
        }
    }

    /** Executes messages until the client's goodbye or the end of the queue, and returns that last message. */
    private ToRuntime.InTurn executeAll() throws InterruptedException {
        ToRuntime.InTurn next = next();
        while (!isGoodbye(next)) {
            execute(next);
            if (replies.areImmediate()) {
                hasUpdated = executor.takeUpdated();
                reportIfDue();
            }
            next = next();
        }
        context.slice().release();
        replies.finish();
        fetchHandler.finish();
        return next;
    }

    private static boolean isGoodbye(ToRuntime.InTurn message) {
        return message instanceof ToRuntime.Request request && request.request().hasGoodbye();
    }

    /** Sends a progress report if one is due. Called by the thread that sends replies. */
    private void reportIfDue() throws InterruptedException {
        boolean mayBeWaitedFor = hasUpdated || queue.isEmpty();
        hasUpdated = false;
        if (reports.isDue(mayBeWaitedFor)) {
            reports.send();
        }
    }

    private ToRuntime.InTurn next() throws InterruptedException {
        ToRuntime.InTurn ready = queue.poll();
        if (ready != null) {
            return ready;
        }
        context.slice().release();
        return queue.take();
    }

    private void freeAll() {
        context.slice().release();
        context.peers().close("the session of a member has ended");
        queue.close();
        replies.close();
        fetchHandler.close();
        kept.close();
        context.values().clear();
        context.uploads().close();
        context.loads().endSegment();
        executor.close();
        segments.clear();
        programs.clear();
    }

    private void execute(ToRuntime.InTurn message) throws InterruptedException {
        long arrived = queue.arrival(message, 0);
        switch (message) {
            case ToRuntime.SegmentMessage segment -> run(segments.of(segment), arrived);
            case ToRuntime.PassSegment pass -> run(segments.of(pass.bundle().own()), arrived);
            case ToRuntime.TakeSegment take -> {
                context.slice().release();
                run(segments.of(context.peers().take(take)), arrived);
            }
            case ToRuntime.Fetch fetch -> {
                compute(fetch.value());
                context.slice().release();
                answer(fetch);
            }
            case ToRuntime.Request request -> answer(request.request(), arrived);
            case ToRuntime.Free free -> {
                free(free.values());
                noted();
            }
            case ToRuntime.DefineProgram define -> programs.define(define);
            case ToRuntime.RunProgram run -> {
                programRunner.run(programs.get(run.program()), run, this::executed);
                executor.rematerializations().settle();
            }
            case ToRuntime.DropProgram drop -> programs.drop(drop);
            case ToRuntime.SaveModel save -> save(save.request());
        }
    }

    /** Computes a value that the client asks for. From then on the value is stored, which is reported to the client. */
    private void compute(long value) throws InterruptedException {
        long before = context.memory().usedBytes();
        executor.rematerializations().require(value);
        if (context.memory().usedBytes() != before) {
            noted();
        }
    }

    private void save(SaveRequest save) throws InterruptedException {
        if (!session.agreed().has(Feature.SOURCES)) {
            return;
        }
        for (SaveRequest.NamedValue each : save.getValuesList()) {
            compute(each.getValue());
        }
        context.slice().release();
        answers.save(save);
    }

    private void run(IncomingSegment segment, long arrived) throws InterruptedException {
        if (!explainLog.isTraced()) {
            executor.run(segment.bindings(), segment.graph());
            executed(() -> {});
            return;
        }
        long start = context.runtime().now();
        executor.run(segment.bindings(), segment.graph());
        int instructions = segment.graph().instructions().size();
        executed(() -> explainLog
                .trace()
                .segment(
                        context.counters().segments.get(),
                        instructions,
                        arrived,
                        start,
                        context.runtime().now()));
    }

    /** Counts a launched segment or call of a program, and reports it to the client, once it has run. */
    private void executed(Reply alsoThen) throws InterruptedException {
        if (replies.areImmediate()) {
            context.counters().segments.add(1);
            reports.note();
            alsoThen.send();
            return;
        }
        ProgressReports.Live live = reports.live();
        boolean isUpdate = executor.takeUpdated();
        replies.after(launcher.fence(), () -> {
            context.counters().segments.add(1);
            hasUpdated |= isUpdate;
            reports.note(live);
            alsoThen.send();
        });
    }

    /** Requests a progress report. It is sent after all earlier replies. */
    private void noted() throws InterruptedException {
        if (replies.areImmediate()) {
            reports.note();
            return;
        }
        ProgressReports.Live live = reports.live();
        replies.after(Completion.DONE, () -> reports.note(live));
    }

    private void answer(ToRuntime.Fetch fetch) throws InterruptedException {
        if (!explainLog.isTraced()) {
            fetchHandler.answer(fetch, this::dueReport);
            return;
        }
        long start = context.runtime().now();
        fetchHandler.answer(fetch, this::dueReport);
        replies.after(
                Completion.DONE,
                () -> explainLog
                        .trace()
                        .fetched(fetch.fetch(), start, context.runtime().now()));
    }

    private byte[] dueReport() {
        return reports.isDue(queue.isEmpty()) ? reports.take() : NOTHING;
    }

    /** Answers a request. Ignores a request that this version does not know or that was not negotiated. */
    private void answer(RuntimeRequest request, long arrived) throws InterruptedException {
        switch (request.getKindCase()) {
            case EXPLAIN -> {
                if (session.agreed().has(Feature.EXPLAIN)) {
                    context.slice().release();
                    replies.finish();
                    explain(request.getExplain());
                }
            }
            case TRACE -> {
                if (session.agreed().has(Feature.TRACE)) {
                    context.slice().release();
                    replies.finish();
                    answer(request.getTrace(), arrived);
                }
            }
            case SAVE_STATE -> {
                if (session.agreed().has(Feature.SAVED_STATES)) {
                    settleForState();
                    states.save(request.getSaveState());
                }
            }
            case RESTORE_STATE -> {
                if (session.agreed().has(Feature.SAVED_STATES)) {
                    settleForState();
                    states.restore(request.getRestoreState());
                    noted();
                }
            }
            case OWN -> {
                if (session.agreed().has(Feature.KEPT_VALUES)) {
                    settleForState();
                    own(request.getOwn());
                    noted();
                }
            }
            case KEEP -> {
                if (session.agreed().has(Feature.KEPT_VALUES)) {
                    states.keep(request.getKeep());
                    noted();
                }
            }
            case DELETE_STATES -> {
                if (session.agreed().has(Feature.SAVED_STATES)) {
                    context.slice().release();
                    states.delete(request.getDeleteStates());
                }
            }
            case GOODBYE -> throw new IllegalStateException("a goodbye ends the loop");
            case NOTICE_END, KIND_NOT_SET -> {
                // The session has noted the first. Of the second, the client knows from the negotiated features that it
                // will receive no answer.
            }
        }
    }

    private void own(Own own) throws InterruptedException {
        if (own.getOwner().size() != OWNER_BYTES) {
            throw new MalformedException("an owner has " + OWNER_BYTES + " bytes, got "
                    + own.getOwner().size());
        }
        answers.answerNow(own.getRequest(), () -> {
            Optional<SessionOwners.Taken> before = session.takeOver(own.getOwner());
            return before.isPresent()
                    ? states.take(before.get().values(), before.get().latestFault())
                    : KeptSession.getDefaultInstance().toByteArray();
        });
    }

    private void settleForState() throws InterruptedException {
        context.slice().release();
        replies.finish();
    }

    private void answer(Trace trace, long arrived) throws InterruptedException {
        EngineTracer events = explainLog.trace();
        byte[] piece = events.take();
        control.send(ToClient.Reply.of(Traced.newBuilder()
                        .setRequest(trace.getRequest())
                        .setReceivedNanos(arrived)
                        .setAnsweredNanos(context.runtime().now())
                        .setHasMore(events.hasMore())
                        .setEvents(UnsafeByteOperations.unsafeWrap(piece))
                        .build())
                .encode());
    }

    private void explain(Explain asked) throws InterruptedException {
        Explained.Builder explained = Explained.newBuilder().setRequest(asked.getRequest());
        switch (asked.getSubjectCase()) {
            case VALUE -> explainLog.explain(asked.getValue()).ifPresent(explained::setExplanation);
            case PROGRAM -> explainLog.explain(programs.get(asked.getProgram())).ifPresent(explained::setExplanation);
            case SUBJECT_NOT_SET -> {
                // The answer is empty for an unknown subject.
            }
        }
        control.send(ToClient.Reply.of(explained.build()).encode());
    }

    private void free(DeltaEncodedList ids) throws InterruptedException {
        ids.forEach(id -> context.values().remove(id).release());
        executor.rematerializations().settle();
    }
}
