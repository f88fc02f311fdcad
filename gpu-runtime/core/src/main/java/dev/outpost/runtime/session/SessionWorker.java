package dev.outpost.runtime.session;

import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.protocol.bytes.StepList;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.source.SourceQuestion;
import dev.outpost.runtime.engine.Completion;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import java.time.Duration;

/**
 * The one thread that executes a session's messages, in their order. It owns the session's values: whichever way the
 * session ends, they are freed here, behind the last kernel that uses them. It has its turn at the engine as long as
 * it has segments to run, and gives it back before it waits for anything but its own kernels.
 */
final class SessionWorker {
    private static final byte[] NOTHING = new byte[0];

    private final Session session;
    private final SessionContext workspace;
    private final WorkQueue queue;
    private final SourceAnswers answers;
    private final ReliableLane control;
    private final Replies replies;
    private final Fetches fetches;
    private final Reports reports;
    private final IncomingSegments segments;
    private final SegmentRunner runner;
    private final Programs programs;
    private final ProgramRunner programRunner;
    private final Thread thread;
    /** Of the thread that sends replies: whether an update has run, or was left out, since the latest report. */
    private boolean hasUpdated;

    private volatile boolean finished;

    SessionWorker(Session session, SessionContext workspace, Lanes lanes, WorkQueue queue, SourceAnswers answers) {
        this.session = session;
        this.workspace = workspace;
        this.queue = queue;
        this.answers = answers;
        this.control = lanes.control();
        this.replies = workspace.device() == null
                ? new ImmediateReplies()
                : new LateReplies(workspace.session(), workspace.turn(), this::reportIfDue, this::fail);
        this.fetches = new Fetches(workspace, lanes, replies, this::fail);
        this.reports =
                new Reports(workspace, lanes.control(), replies.areImmediate() ? workspace.turn()::giveBack : () -> {});
        this.segments = new IncomingSegments(workspace);
        this.runner = new SegmentRunner(workspace, session::isOver);
        this.programs = new Programs(workspace.machine().refusals());
        this.programRunner = new ProgramRunner(workspace, runner, fetches, reports, replies);
        this.thread = Thread.ofPlatform()
                .name("outpost-session-" + workspace.session())
                .daemon()
                .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Makes it stop soon; it may be in a kernel. */
    void stop() {
        if (Thread.currentThread() != thread) {
            thread.interrupt();
        }
    }

    /** Whether it stopped, and freed all, within the time. */
    boolean awaitStop(Duration atMost) throws InterruptedException {
        return thread.join(atMost);
    }

    /** Whether something that the device was asked for has not been told of. */
    boolean isAnyReplyWaiting() {
        return replies.areAnyWaiting();
    }

    /** Whether everything up to the end of the queue was executed and its answers handed to the lanes. */
    boolean isFinished() {
        return finished;
    }

    private void run() {
        Message last = null;
        Throwable failure = null;
        try {
            last = executeAll();
        } catch (Throwable problem) {
            failure = problem;
        }
        // Before anything is said of a failure, which takes memory that may be what is missing.
        freeAll();
        if (failure != null) {
            fail(failure);
        }
        if (last == WorkQueue.END) {
            finished = true;
        } else if (last != null) {
            session.leave(new Message.Farewell(workspace.faults().unseen()));
        }
    }

    private void fail(Throwable failure) {
        switch (failure) {
            case InterruptedException stopped -> {
                // Whoever ended the session has said why.
            }
            case OutpostException broken -> session.end(Fault.of(broken.kind(), broken.getMessage()));
            default -> {
                session.end(Fault.of(FaultKind.INTERNAL, "the session failed on the machine: " + failure));
                workspace.machine().defects().report("session " + workspace.session() + " failed", failure);
            }
        }
    }

    /** The answer is the message that said that none follows. */
    private Message executeAll() throws InterruptedException {
        Message next = next();
        while (!(next instanceof Message.Goodbye)) {
            execute(next);
            if (replies.areImmediate()) {
                hasUpdated = runner.takeUpdated();
                reportIfDue();
            }
            next = next();
        }
        workspace.turn().giveBack();
        replies.finish();
        fetches.finish();
        return next;
    }

    /** Called by the thread that sends replies. */
    private void reportIfDue() throws InterruptedException {
        boolean mayBeWaitedFor = hasUpdated || queue.isEmpty();
        hasUpdated = false;
        if (reports.isDue(mayBeWaitedFor)) {
            reports.send();
        }
    }

    private Message next() throws InterruptedException {
        Message ready = queue.poll();
        if (ready != null) {
            return ready;
        }
        workspace.turn().giveBack();
        return queue.take();
    }

    private void freeAll() {
        workspace.turn().giveBack();
        workspace.peers().close("the session of a member has ended");
        queue.close();
        replies.close();
        fetches.close();
        workspace.values().clear();
        workspace.uploads().close();
        workspace.loads().endSegment();
        runner.close();
        segments.clear();
        programs.clear();
    }

    private void execute(Message message) throws InterruptedException {
        long arrived = queue.arrival(message, 0);
        switch (message) {
            case Message.RunSegment run -> run(segments.whole(run), arrived);
            case Message.RememberSegment remember -> run(segments.remember(remember), arrived);
            case Message.RepeatSegment repeat -> run(segments.repeat(repeat), arrived);
            case Message.Fetch fetch -> {
                compute(fetch.value());
                workspace.turn().giveBack();
                answer(fetch);
            }
            case Message.Trace trace -> {
                workspace.turn().giveBack();
                replies.finish();
                answer(trace, arrived);
            }
            case Message.Explain explain -> {
                workspace.turn().giveBack();
                replies.finish();
                explained(explain.request(), runner.explain(explain.value()));
            }
            case Message.ExplainProgram explain -> {
                workspace.turn().giveBack();
                replies.finish();
                explained(explain.request(), runner.explain(programs.get(explain.program())));
            }
            case Message.Free free -> {
                free(free.values());
                noted();
            }
            case Message.DefineProgram define -> programs.define(define);
            case Message.RunProgram run -> {
                programRunner.run(programs.get(run.program()), run, this::executed);
                runner.recipes().settle();
            }
            case Message.DropProgram drop -> programs.drop(drop);
            case Message.GrantEmissions _, Message.CancelScan _, Message.Scanned _ -> throw misplaced(message);
            case Message.Goodbye _, Message.UploadChunk _ -> throw misplaced(message);
            case Message.Progress _, Message.Fetched _, Message.FetchFailed _ -> throw misplaced(message);
            case Message.DownloadChunk _, Message.Farewell _ -> throw misplaced(message);
            case Message.Explained _, Message.Traced _ -> throw misplaced(message);
            case Message.Failed _, Message.UpdateFailed _ -> throw misplaced(message);
            case Message.AskSource ask -> {
                SourceQuestion.Save save = (SourceQuestion.Save) SourceQuestion.decode(ask.question());
                for (long value : save.values().values()) {
                    compute(value);
                }
                workspace.turn().giveBack();
                answers.save(ask.request(), save);
            }
            case Message.SourceAnswered _, Message.SourceFailed _ -> throw misplaced(message);
            case Message.AskPeers _, Message.PeersAnswered _, Message.PeersFailed _ -> throw misplaced(message);
        }
    }

    /** What a client asks for is stored from then on, which it is told. */
    private void compute(long value) throws InterruptedException {
        long before = workspace.memory().usedBytes();
        runner.recipes().require(value);
        if (workspace.memory().usedBytes() != before) {
            noted();
        }
    }

    private void run(IncomingSegment segment, long arrived) throws InterruptedException {
        if (!runner.isTraced()) {
            runner.run(segment);
            executed(() -> {});
            return;
        }
        long start = workspace.machine().now();
        runner.run(segment);
        int instructions = segment.graph().instructions().size();
        executed(() -> runner.traced()
                .segment(
                        workspace.counters().segments.get(),
                        instructions,
                        arrived,
                        start,
                        workspace.machine().now()));
    }

    /** A segment, or the call of a program, was launched; once it has run it counts, and the client is told. */
    private void executed(Reply alsoThen) throws InterruptedException {
        if (replies.areImmediate()) {
            workspace.counters().segments.add(1);
            reports.note();
            alsoThen.send();
            return;
        }
        Reports.Live live = reports.live();
        boolean isUpdate = runner.takeUpdated();
        replies.after(runner.hasRun(), () -> {
            workspace.counters().segments.add(1);
            hasUpdated |= isUpdate;
            reports.note(live);
            alsoThen.send();
        });
    }

    /** There is something to tell, as soon as all is told that was before. */
    private void noted() throws InterruptedException {
        if (replies.areImmediate()) {
            reports.note();
            return;
        }
        Reports.Live live = reports.live();
        replies.after(Completion.DONE, () -> reports.note(live));
    }

    private void answer(Message.Fetch fetch) throws InterruptedException {
        if (!runner.isTraced()) {
            fetches.answer(fetch, this::dueReport);
            return;
        }
        long start = workspace.machine().now();
        fetches.answer(fetch, this::dueReport);
        replies.after(
                Completion.DONE,
                () -> runner.traced()
                        .fetched(fetch.fetch(), start, workspace.machine().now()));
    }

    private byte[] dueReport() {
        return reports.isDue(queue.isEmpty()) ? reports.take() : NOTHING;
    }

    private void answer(Message.Trace trace, long arrived) throws InterruptedException {
        Tracer events = runner.traced();
        byte[] piece = events.take();
        long now = workspace.machine().now();
        control.send(new Message.Traced(trace.request(), arrived, now, events.hasMore(), piece).encode());
    }

    private void explained(long request, byte[] explanation) throws InterruptedException {
        control.send(new Message.Explained(request, explanation).encode());
    }

    private static MalformedException misplaced(Message message) {
        return new MalformedException(message.getClass().getSimpleName() + " does not belong on the control lane");
    }

    private void free(StepList ids) throws InterruptedException {
        ids.forEach(id -> workspace.values().remove(id).release());
        runner.recipes().settle();
    }
}
