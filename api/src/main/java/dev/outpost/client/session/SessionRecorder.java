package dev.outpost.client.session;

import dev.outpost.client.numbers.RandomStream;
import dev.outpost.client.program.ProgramCalled;
import dev.outpost.client.program.ProgramRun;
import dev.outpost.client.program.RemoteProgram;
import dev.outpost.client.program.RemoteScan;
import dev.outpost.client.record.MemoryAccount;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.start.StartSpec;
import dev.outpost.client.transfer.ElementSource;
import dev.outpost.client.waits.SessionSettings;
import dev.outpost.explain.Explanation;
import dev.outpost.protocol.message.PeerQuestion;
import dev.outpost.protocol.message.SaveState;
import dev.outpost.protocol.op.Literal;
import dev.outpost.protocol.op.Upload;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Records for one machine, whose sessions follow each other. Recording begins at once; the machine may be ready later. Thread-safe. */
public final class SessionRecorder extends MachineRecorder {
    private final StartSpec start;
    private final StatePlaces states;
    /** Held during a pause and during a resumption. */
    private final ReentrantLock lifecycle = new ReentrantLock();

    /** The programs that were dropped while recording was suspended. Guarded by the recording's lock. */
    private final List<RemoteProgram> dropped = new ArrayList<>();

    private volatile MachineSession session;
    /** The session that is being started in place of a paused one; null at other times. */
    private volatile MachineSession pending;

    /** The state that was begun last. Written under the recording's lock. */
    private volatile CompletableFuture<SavedState> saving = CompletableFuture.completedFuture(null);

    private MemoryAccount account;
    private volatile boolean isClosed;

    /**
     * Begins recording, and asks for the machine.
     *
     * @param name the machine's name in logs and errors
     * @param random the stream that random tensors draw from
     * @param start the start of the machine
     * @param isScoped returns true if a scope frees the tensors of the calling thread, so that they never wait for the collector
     */
    public SessionRecorder(
            String name, SessionSettings settings, RandomStream random, StartSpec start, BooleanSupplier isScoped) {
        super(name, settings, random, isScoped);
        this.start = start;
        this.states = new StatePlaces(name);
        restart();
    }

    @Override
    protected MachineSession session() {
        return session;
    }

    /** Does nothing if the machine is not lost any more, because another thread has restarted it or its state was saved. */
    @Override
    public void restart() {
        lifecycle.lock();
        try {
            if (session == null || session.isLost() && !recording.isSuspended()) {
                replace();
            }
        } finally {
            lifecycle.unlock();
        }
    }

    private void replace() {
        account = new MemoryAccount();
        MachineSession before = session;
        MachineSession next = new MachineSession(name, settings, start, recording, account, Optional.empty());
        if (before != null) {
            next.restarts("in place of a machine that is lost");
        }
        begin(next, next.delivery(), account);
        session = next;
        next.begin();
    }

    @Override
    public RemoteValue upload(TensorType type, ElementSource elements) {
        RemoteValue value = null;
        while (value == null) {
            recording.awaitMachine();
            value = upload(type, elements, session);
        }
        runIfEager(value);
        return value;
    }

    /** Returns null if the machine was paused before the upload was recorded. */
    private RemoteValue upload(TensorType type, ElementSource elements, MachineSession machineSession) {
        machineSession.awaitRoom();
        if (type.bytes() <= Literal.MAX_BYTES) {
            byte[] all = new byte[(int) type.bytes()];
            elements.read(0, all, 0, all.length);
            return recording.record(new Literal(type, all), type, machineSession);
        }
        long upload = machineSession.nextUpload();
        RemoteValue value = recording.record(new Upload(type, upload), type, machineSession);
        if (value == null) {
            return null;
        }
        try {
            machineSession.upload(upload, type, elements);
        } catch (OutpostException failure) {
            value.abandon();
            throw failure;
        }
        return value;
    }

    @Override
    public ProgramCalled run(ProgramRun run, RemoteScan scan) {
        ProgramCalled called = null;
        while (called == null) {
            recording.awaitMachine();
            session.adopt(scan);
            scan.awaitRoom();
            called = calls.run(run, scan);
        }
        return called;
    }

    @Override
    public void drop(RemoteProgram program) {
        recording.guarded(() -> {
            if (recording.isSuspended()) {
                dropped.add(program);
            } else if (!session.isOver()) {
                calls.drop(program);
            }
            return null;
        });
    }

    /** Records again. Programs that were dropped meanwhile are dropped now. */
    private void continueRecording() {
        recording.guarded(() -> {
            recording.continueRecording();
            dropped.forEach(this::drop);
            dropped.clear();
            return null;
        });
    }

    @Override
    public Optional<Explanation> explain(RemoteProgram program) {
        recording.awaitMachine();
        session.requireRunning();
        return session.waits().awaitLatest(() -> {
            CompletableFuture<Optional<Explanation>> answer = null;
            while (answer == null) {
                recording.awaitMachine();
                answer = session.sender().asking(() -> queries.explain(program));
            }
            return answer;
        });
    }

    /**
     * Asks about the machines with which this machine exchanges values. Waits until the machine is ready, but not for
     * its answer.
     */
    public CompletableFuture<byte[]> askPeers(PeerQuestion question) {
        CompletableFuture<byte[]> answer = null;
        while (answer == null) {
            recording.awaitMachine();
            MachineSession machineSession = session;
            machineSession.awaitReady();
            answer = machineSession.askPeers(question);
        }
        return answer;
    }

    // ---- states

    /**
     * Saves the state while the program goes on. The state has the values and programs of this moment: everything that was sealed before,
     * and nothing that is recorded later. Recording is not suspended, and no open segment is sealed. One state is saved at a time.
     *
     * @param uri the location of the store
     * @param position returns the position that the state covers, as the caller counts its messages; called under the recording's lock, when
     *     the request takes its place among the messages
     * @return completes when the store has the whole state, or with the failure of the machine, which then goes on as before; empty if
     *     another state is being saved, or if the machine is not ready, paused or over
     */
    public Optional<CompletableFuture<SavedState>> saveState(String uri, LongSupplier position) {
        MachineSession running = session;
        if (running.isOver() || !running.hasSavedStates()) {
            return Optional.empty();
        }
        return running.sender().asking(() -> recording.guarded(() -> beginState(running, uri, position)));
    }

    private Optional<CompletableFuture<SavedState>> beginState(
            MachineSession running, String uri, LongSupplier position) {
        if (recording.isSuspended() || running != session || !saving.isDone()) {
            return Optional.empty();
        }
        SaveState.Builder state = states.next(uri).setClient(clientState());
        long covered = position.getAsLong();
        CompletableFuture<SavedState> answer = running.saveState(state).thenApply(bytes -> {
            states.saved(state);
            return new SavedState(state.getNumber(), covered, state.getClient().getLastValue(), bytes);
        });
        saving = answer;
        return Optional.of(answer);
    }

    // ---- pauses

    /**
     * Writes the values and programs to a store, and releases the machine. Other threads that record wait. If this fails, the machine goes
     * on as before. A second pause of a paused machine does nothing.
     *
     * @param uri the location of the store
     */
    public void pause(String uri) {
        lifecycle.lock();
        try {
            if (recording.isSuspended()) {
                return;
            }
            session.awaitReady();
            session.requireSavedStates();
            recording.suspend();
            boolean isPaused = false;
            try {
                saveAndRelease(uri);
                isPaused = true;
            } finally {
                if (!isPaused) {
                    continueRecording();
                }
            }
            recording.resumeBy(this::resume);
        } finally {
            lifecycle.unlock();
        }
    }

    private void saveAndRelease(String uri) {
        MachineSession paused = session;
        // No other state begins, because recording is suspended.
        paused.waits().awaitStore(() -> saving.handle((saved, failure) -> saved));
        SaveState.Builder state = states.next(uri).setClient(clientState());
        paused.waits().awaitStore(() -> paused.sender().asking(() -> paused.saveState(state)));
        paused.awaitAnswersToAll();
        states.saved(state);
        paused.saved();
        paused.pause();
    }

    /**
     * Starts a machine in place of a paused one, and loads the state. If this fails, the machine stays paused, and a later call tries again.
     *
     * @return false if the machine was not paused
     */
    public boolean resume() {
        lifecycle.lock();
        try {
            if (!recording.isSuspended()) {
                return false;
            }
            MachineSession next = new MachineSession(name, settings, start, recording, account, Optional.of(session));
            next.restarts("with the state of a machine that was paused");
            boolean isRestored = false;
            pending = next;
            try {
                // close() sets isClosed before it ends a pending session.
                requireOpen();
                next.begin();
                next.awaitReady();
                next.requireSavedStates();
                next.restored(next.waits()
                        .awaitStore(() -> next.sender().asking(() -> next.restoreState(states.latest()))));
                requireOpen();
                isRestored = true;
            } finally {
                pending = null;
                if (!isRestored) {
                    next.abandon(new OutpostException(FaultKind.EXTERNAL, name + ": the machine was not resumed"));
                }
            }
            recording.guarded(() -> {
                move(next, next.delivery());
                session = next;
                continueRecording();
                return null;
            });
            return true;
        } finally {
            lifecycle.unlock();
        }
    }

    private void requireOpen() {
        if (isClosed) {
            throw closed();
        }
    }

    private OutpostException closed() {
        return new OutpostException(FaultKind.USER, name + ": the machine is closed");
    }

    @Override
    public void close() {
        isClosed = true;
        MachineSession starting = pending;
        if (starting != null) {
            starting.abandon(closed());
        }
        lifecycle.lock();
        try {
            if (session.isPaused()) {
                session.reportFailures();
            } else {
                session.close();
            }
        } finally {
            lifecycle.unlock();
        }
    }
}
