package dev.outpost.client.session;

import com.google.protobuf.ByteString;
import dev.outpost.client.numbers.RandomStream;
import dev.outpost.client.program.ProgramCalled;
import dev.outpost.client.program.ProgramRun;
import dev.outpost.client.program.RemoteProgram;
import dev.outpost.client.program.RemoteScan;
import dev.outpost.client.record.MemoryAccount;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.Storage;
import dev.outpost.client.record.StoredOperand;
import dev.outpost.client.start.StartSpec;
import dev.outpost.client.transfer.ElementSource;
import dev.outpost.client.waits.SessionSettings;
import dev.outpost.explain.Explanation;
import dev.outpost.protocol.message.ClientState;
import dev.outpost.protocol.message.Keep;
import dev.outpost.protocol.message.KeptSession;
import dev.outpost.protocol.message.KeptValue;
import dev.outpost.protocol.message.Own;
import dev.outpost.protocol.message.PeerQuestion;
import dev.outpost.protocol.message.Protobuf;
import dev.outpost.protocol.message.RestoreState;
import dev.outpost.protocol.message.SaveState;
import dev.outpost.protocol.message.SessionKey;
import dev.outpost.protocol.op.Literal;
import dev.outpost.protocol.op.Upload;
import dev.outpost.stats.MachineStats;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records for one machine, whose sessions follow each other. Recording begins at once; the machine may be ready later. Thread-safe. */
public final class SessionRecorder extends MachineRecorder {
    private static final Logger LOG = LoggerFactory.getLogger(SessionRecorder.class);

    private final StartSpec start;
    private final StatePlaces states;
    private final KeptNames names = new KeptNames();
    private final Optional<String> store;
    private final boolean keepsStates;
    /** Held during a pause and during a resumption. */
    private final ReentrantLock lifecycle = new ReentrantLock();

    /** The programs that were dropped while recording was suspended. Guarded by the recording's lock. */
    private final List<RemoteProgram> dropped = new ArrayList<>();

    private volatile MachineSession session;
    /** The session that is being started in place of a paused one; null at other times. */
    private volatile MachineSession pending;

    /** The state that was begun last. Written under the recording's lock. */
    private volatile CompletableFuture<SavedState> saving = CompletableFuture.completedFuture(null);

    /** The secret of those who may continue with the session, and the session that belongs to it. */
    private ByteString owner;

    private MachineSession owned;

    private MemoryAccount account;
    private volatile boolean isClosed;

    /**
     * Begins recording, and asks for the machine.
     *
     * @param name the machine's name in logs and errors
     * @param random the stream that random tensors draw from
     * @param start the start of the machine
     * @param isScoped returns true if a scope frees the tensors of the calling thread, so that they never wait for the collector
     * @param store the location of the state of a machine that ends; empty if the state is then lost
     * @param keepsStates true if closing leaves saved states in their store
     */
    public SessionRecorder(
            String name,
            SessionSettings settings,
            RandomStream random,
            StartSpec start,
            BooleanSupplier isScoped,
            Optional<String> store,
            boolean keepsStates) {
        super(name, settings, random, isScoped);
        this.start = start;
        this.store = store;
        this.keepsStates = keepsStates;
        this.states = new StatePlaces(name);
        recording.afterSegments(this::sendNames);
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
        recording.guarded(() -> {
            names.forgetSent();
            return null;
        });
        saveBeforeEnd(next);
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
        SaveState.Builder state = nextState(uri);
        long covered = position.getAsLong();
        CompletableFuture<SavedState> answer = running.saveState(state).thenApply(bytes -> {
            states.saved(state);
            // The thread of the network must not wait for the recording.
            Thread.ofVirtual().name("outpost-old-states-" + name).start(() -> deleteStates(running, false));
            return new SavedState(state.getNumber(), covered, state.getClient().getLastValue(), bytes);
        });
        saving = answer;
        return Optional.of(answer);
    }

    // ---- other processes

    @Override
    protected ClientState.Builder clientState() {
        return super.clientState().setLastState(states.attempts());
    }

    /** Sends the values of kept names that have changed. Called with the recording's lock held. */
    private void sendNames() {
        MachineSession current = session;
        if (names.isUsed() && current != null && current.isReady()) {
            Keep changes = names.changes(clientState().build());
            if (changes != null) {
                current.keep(changes);
            }
        }
    }

    /** Keeps a storage under a name, for states and for other processes. Waits until the machine is ready. */
    public void keep(String keptName, StoredOperand operand, boolean requiresGrad) {
        awaitReady();
        session.requireKeptValues();
        recording.ofSealed(operand.storage().handle(), value -> {
            names.keep(keptName, operand.storage(), operand.layout(), requiresGrad);
            return null;
        });
        recording.endSegment();
    }

    public void forget(String keptName) {
        recording.guarded(() -> {
            names.forget(keptName);
            return null;
        });
        recording.endSegment();
    }

    /**
     * Returns the parts of the session's key that this recorder knows. Makes the session belong to it, if it does not yet. When this returns,
     * the machine has the values of all names.
     */
    public SessionKey.Builder key(Optional<String> store) {
        lifecycle.lock();
        try {
            awaitReady();
            session.requireKeptValues();
            if (owner == null) {
                owner = StatePlaces.secret();
            }
            recording.guarded(() -> {
                names.use();
                return null;
            });
            recording.endAllSegments();
            // The machine answers after it has done everything before.
            own(session);
            SessionKey.Builder key = SessionKey.newBuilder().setOwner(owner);
            store.ifPresent(uri -> key.setPlace(states.in(uri)));
            return key;
        } finally {
            lifecycle.unlock();
        }
    }

    private KeptSession own(MachineSession next) {
        owned = next;
        return parse(next.waits()
                .awaitStore(() ->
                        next.sender().asking(() -> next.own(Own.newBuilder().setOwner(owner)))));
    }

    private static KeptSession parse(byte[] answer) {
        return Protobuf.parse(KeptSession.parser(), answer, "the names of values");
    }

    /** Continues with the session of another process. Call it before anything is recorded. Returns false if there is no such session. */
    public boolean takeOver(SessionKey key, BiConsumer<KeptValue, RemoteValue> values) {
        owner = key.getOwner();
        awaitReady();
        session.requireKeptValues();
        KeptSession taken = own(session);
        if (taken.getFound()) {
            continueFrom(key, taken, values);
        }
        return taken.getFound();
    }

    /** Continues with the latest state of another process. Call it before anything is recorded. */
    public void restore(SessionKey key, BiConsumer<KeptValue, RemoteValue> values) {
        owner = key.getOwner();
        awaitReady();
        session.requireSavedStates();
        session.requireKeptValues();
        RestoreState.Builder latest =
                RestoreState.newBuilder().setPlace(key.getPlace()).setKeptOnly(true);
        KeptSession restored =
                parse(session.waits().awaitStore(() -> session.sender().asking(() -> session.restoreState(latest))));
        own(session);
        continueFrom(key, restored, values);
    }

    private void continueFrom(SessionKey key, KeptSession kept, BiConsumer<KeptValue, RemoteValue> values) {
        states.continueFrom(key.getPlace(), kept.getClient().getLastState());
        continueFrom(kept.getClient());
        Map<Long, RemoteValue> byId = new HashMap<>();
        for (KeptValue each : kept.getValuesList()) {
            recording.continueAfter(each.getValue());
            RemoteValue value = byId.computeIfAbsent(
                    each.getValue(),
                    id -> recording.guarded(() -> recording.epoch().existing(id, type(each))));
            values.accept(each, value);
        }
        recording.guarded(() -> {
            names.use();
            return null;
        });
    }

    private static TensorType type(KeptValue value) {
        return new TensorType(
                DType.ofCode(value.getDtype()),
                Shape.of(
                        value.getShapeList().stream().mapToLong(Long::longValue).toArray()));
    }

    /** Records that a storage has a value that the machine keeps by this name. */
    public void restored(KeptValue keptName, Storage storage) {
        recording.guarded(() -> {
            names.restored(keptName, storage);
            return null;
        });
    }

    /** Leaves the session to another process. This recorder cannot be used any more. */
    public void handOver() {
        lifecycle.lock();
        try {
            isClosed = true;
            session.handOver(
                    new OutpostException(FaultKind.USER, name + ": the session was handed over to another process"));
        } finally {
            lifecycle.unlock();
        }
    }

    /** Returns counters that change with each use; empty while the machine works or is paused. */
    public Optional<IdleWatch.Use> use() {
        MachineSession current = session;
        if (recording.isSuspended() || !current.isSettled()) {
            return Optional.empty();
        }
        MachineStats stats = current.stats();
        return Optional.of(new IdleWatch.Use(recording.guarded(recording::latestId), stats.segments(), stats.waits()));
    }

    /** Begins to delete the states before the latest one, or all states. */
    private CompletableFuture<Void> deleteStates(MachineSession running, boolean all) {
        return states.deletion(all)
                .map(request -> running.sender().asking(() -> recording.guarded(() -> running.deleteStates(request))))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    /**
     * Deletes all states, unless a program with the session's key could load them when this one has ended. Waits at most as long as closing
     * may take.
     */
    private void deleteStatesAtEnd() {
        if (keepsStates || owned != null || session.isOver() || !session.hasSavedStates()) {
            return;
        }
        long deadline = System.nanoTime() + settings.closeTimeout().toNanos();
        try {
            saving.handle((saved, failure) -> saved).get(settings.closeTimeout().toNanos(), TimeUnit.NANOSECONDS);
            deleteStates(session, true).get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException ignored) {
            // The files stay in the store.
        }
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

    private SaveState.Builder nextState(String uri) {
        SaveState.Builder state = states.next(uri);
        return state.setClient(clientState());
    }

    /** Pauses the machine if it announces that it will end, for example because its node is drained. Then the next use resumes it elsewhere. */
    private void saveBeforeEnd(MachineSession next) {
        store.ifPresent(uri -> next.beforeEnd(
                () -> Thread.ofVirtual().name("outpost-ending-" + name).start(() -> pauseEnding(next, uri))));
    }

    private void pauseEnding(MachineSession ending, String uri) {
        lifecycle.lock();
        try {
            if (session == ending) {
                LOG.info("{}: the machine will end, so it is paused", name);
                pause(uri);
            }
        } catch (OutpostException failure) {
            LOG.warn("{}: the machine ends, and its state was not saved: {}", name, failure.getMessage());
        } finally {
            lifecycle.unlock();
        }
    }

    private void saveAndRelease(String uri) {
        MachineSession paused = session;
        // No other state begins, because recording is suspended.
        paused.waits().awaitStore(() -> saving.handle((saved, failure) -> saved));
        SaveState.Builder state = nextState(uri);
        paused.waits().awaitStore(() -> paused.sender().asking(() -> paused.saveState(state)));
        paused.awaitAnswersToAll();
        states.saved(state);
        paused.saved();
        paused.waits().awaitStore(() -> deleteStates(paused, false));
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
            saveBeforeEnd(next);
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
                if (owned != null) {
                    own(next);
                }
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
                names.forgetSent();
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
                deleteStatesAtEnd();
                session.close();
            }
        } finally {
            lifecycle.unlock();
        }
    }
}
