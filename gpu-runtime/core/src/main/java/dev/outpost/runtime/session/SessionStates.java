package dev.outpost.runtime.session;

import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.message.DeleteStates;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.Keep;
import dev.outpost.protocol.message.KeptValue;
import dev.outpost.protocol.message.RestoreState;
import dev.outpost.protocol.message.SaveState;
import dev.outpost.protocol.message.StateManifest;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.session.memory.HeldMemory;
import dev.outpost.runtime.session.memory.RefCountedStorage;
import dev.outpost.runtime.session.program.Programs;
import dev.outpost.runtime.session.run.LazyElements;
import dev.outpost.runtime.session.run.RematerializationTable;
import dev.outpost.runtime.session.run.SessionContext;
import dev.outpost.runtime.session.run.Value;
import dev.outpost.runtime.state.SavedSession;
import dev.outpost.runtime.state.StateDeletion;
import dev.outpost.runtime.state.StateLostException;
import dev.outpost.runtime.state.StateReader;
import dev.outpost.runtime.state.StateWriter;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

/** Saves the state of a session to a store, and restores it. Used by the worker thread alone, except {@link #isAtWork}. */
final class SessionStates {
    private final SessionContext context;
    private final Programs programs;
    private final RematerializationTable rematerializations;
    private final KeptValues kept;
    private final SourceAnswers answers;
    /** True while a state is saved. */
    private final AtomicBoolean isSaving = new AtomicBoolean();

    private volatile boolean isRestoring;

    SessionStates(
            SessionContext context,
            Programs programs,
            RematerializationTable rematerializations,
            KeptValues kept,
            SourceAnswers answers) {
        this.context = context;
        this.programs = programs;
        this.rematerializations = rematerializations;
        this.kept = kept;
        this.answers = answers;
    }

    /** Returns true while a state is saved or restored. */
    boolean isAtWork() {
        return isSaving.get() || isRestoring;
    }

    /** Saves all values and programs. Another thread writes them, and the values are held until then. */
    void save(SaveState request) throws InterruptedException {
        if (!isSaving.compareAndSet(false, true)) {
            answers.refuse(
                    request.getRequest(),
                    new OutpostException(
                            FaultKind.EXTERNAL,
                            "pause: an earlier pause still writes the state; pause again when the store has answered"));
            return;
        }
        boolean isStarted = false;
        try {
            isStarted = start(request);
        } catch (MalformedException malformed) {
            throw malformed;
        } catch (OutpostException failure) {
            answers.refuse(request.getRequest(), failure);
        } finally {
            if (!isStarted) {
                isSaving.set(false);
            }
        }
    }

    private boolean start(SaveState request) throws InterruptedException {
        requireSavable();
        long[] ids = context.values().ids();
        compute(ids);
        List<SavedSession.Held> saved = new ArrayList<>();
        HeldValues held = new HeldValues(context.slice());
        SortedMap<Long, Value> values = new TreeMap<>();
        for (long id : ids) {
            values.put(id, context.values().get(id));
        }
        List<KeptValue> names = new ArrayList<>();
        for (KeptValue name : kept.names()) {
            boolean isFreed = values.putIfAbsent(name.getValue(), kept.value(name)) == null;
            names.add(isFreed ? name.toBuilder().setFreed(true).build() : name);
        }
        values.forEach((id, value) -> {
            held.hold(value);
            saved.add(held(id, value));
        });
        SortedMap<Integer, byte[]> codes = programs.codes();
        long lastFault = context.faults().latest();
        Callable<byte[]> write = () -> {
            try {
                ByteWriter answer = new ByteWriter();
                answer.varint(StateWriter.write(
                        context.runtime().sources(),
                        context.engine(),
                        request,
                        new SavedSession(saved, codes, lastFault, names, held::releaseNext)));
                return answer.toByteArray();
            } finally {
                held.close();
                context.memory().whenFull(HeldMemory.NONE);
                isSaving.set(false);
            }
        };
        boolean isStarted = false;
        context.memory().whenFull(held);
        try {
            answers.answer(request.getRequest(), write);
            isStarted = true;
        } finally {
            if (!isStarted) {
                held.close();
                context.memory().whenFull(HeldMemory.NONE);
            }
        }
        return isStarted;
    }

    /** Computes the deferred values. If memory is missing, they stay deferred, and the pause is refused. */
    private void compute(long[] ids) throws InterruptedException {
        List<Fault> missing = rematerializations.requireAll(ids);
        if (!missing.isEmpty()) {
            missing.forEach(context.faults()::replaced);
            throw new OutpostException(
                    FaultKind.RESOURCES,
                    "pause: not enough memory to compute the deferred values, so the machine goes on as before; close"
                            + " tensors that are not needed: "
                            + missing.getFirst().getMessage());
        }
    }

    private void requireSavable() {
        if (context.models().isAnyOpen()) {
            throw new OutpostException(
                    FaultKind.USER,
                    "pause: a model of ONNX Runtime is open, and no state contains one; close it before");
        }
        if (context.peers().isJoined()) {
            throw new OutpostException(
                    FaultKind.USER, "pause: the machine exchanges values with other machines; close the links before");
        }
    }

    private static SavedSession.Held held(long id, Value value) {
        return switch (value) {
            case Value.Present present -> new SavedSession.Held(id, present.type(), present.array(), null);
            case Value.Poisoned poisoned -> new SavedSession.Held(id, poisoned.type(), null, poisoned.fault());
            case LazyElements lazyElements -> throw new IllegalStateException(lazyElements + " was not computed");
        };
    }

    // ---- names

    /** Gives values names. Deferred values are computed first. If memory is missing for that, the name has the fault. */
    void keep(Keep message) throws InterruptedException {
        long[] ids =
                message.getValuesList().stream().mapToLong(KeptValue::getValue).toArray();
        for (long id : ids) {
            context.values().get(id);
        }
        List<Fault> missing = rematerializations.requireAll(ids);
        missing.forEach(context.faults()::replaced);
        kept.keep(message, context.values(), missing.stream().findFirst());
    }

    /** Takes over the values that another session kept. Returns the answer to the client. */
    byte[] take(KeptValues before, long latestFault) {
        context.faults().continueAfter(latestFault);
        before.moveTo(kept, context.values(), context.memory().quota());
        return kept.session().toByteArray();
    }

    // ---- restoring

    /** Deletes the states before a complete one, or all states. */
    void delete(DeleteStates request) {
        answers.answer(request.getRequest(), () -> {
            ByteWriter answer = new ByteWriter();
            answer.varint(StateDeletion.delete(context.runtime().sources(), request));
            return answer.toByteArray();
        });
    }

    /** Restores a state. Values whose elements are missing or were changed hold a fault, so only they are lost. */
    void restore(RestoreState request) throws InterruptedException {
        if (context.values().size() > 0) {
            throw new MalformedException("a state is restored into a session that has values");
        }
        isRestoring = true;
        try {
            answers.answerNow(request.getRequest(), () -> restored(request));
        } finally {
            isRestoring = false;
        }
    }

    private byte[] restored(RestoreState request) throws IOException, InterruptedException {
        try (StateReader reader = StateReader.open(context.runtime().sources(), request)) {
            return restored(reader, request.getKeptOnly());
        }
    }

    private byte[] restored(StateReader reader, boolean isKeptOnly) throws IOException, InterruptedException {
        requireRoom(reader);
        context.faults().continueAfter(reader.manifest().getLastFault());
        restoreValues(reader);
        keep(Keep.newBuilder()
                .addAllValues(reader.manifest().getKeptList())
                .setClient(reader.client())
                .build());
        if (isKeptOnly) {
            answers.send(context.faults().news());
            return kept.session().toByteArray();
        }
        for (KeptValue name : reader.manifest().getKeptList()) {
            if (name.getFreed()) {
                context.values().remove(name.getValue()).release();
            }
        }
        for (StateManifest.SavedProgram program : reader.manifest().getProgramsList()) {
            programs.define(new ToRuntime.DefineProgram(program.getSlot(), reader.program(program)));
        }
        // The client must know the lost values when it gets the answer.
        answers.send(context.faults().news());
        ByteWriter answer = new ByteWriter();
        answer.string(reader.manifest().getEngine());
        answer.string(reader.manifest().getDevice());
        answer.string(context.engine().name());
        return answer.toByteArray();
    }

    private void requireRoom(StateReader reader) {
        long max = context.memory().quota().most();
        if (reader.bytes() > max) {
            throw new OutpostException(
                    FaultKind.RESOURCES,
                    "resume: the values of the state take " + reader.bytes()
                            + " bytes, and a session of this machine has " + max
                            + "; ask for a machine with more memory");
        }
    }

    private void restoreValues(StateReader reader) throws IOException, InterruptedException {
        Map<StateReader.Memory, RefCountedStorage> restored = new HashMap<>();
        for (StateReader.Saved saved : reader.values()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedException("the session has ended");
            }
            context.values().requireUndefined(saved.id());
            context.values().define(saved.id(), value(saved, reader, restored));
        }
    }

    /**
     * @param restored the memory that was restored before
     * @throws IOException if the store cannot be read at present; a value whose elements are lost has a fault instead
     */
    private Value value(
            StateReader.Saved saved, StateReader reader, Map<StateReader.Memory, RefCountedStorage> restored)
            throws IOException, InterruptedException {
        if (saved.fault() != null) {
            return new Value.Poisoned(saved.fault(), saved.type());
        }
        RefCountedStorage shared = restored.get(saved.memory());
        if (shared != null) {
            return new Value.Present(new Array(shared.buffer(), saved.layout()), shared.retain());
        }
        RefCountedStorage storage = context.memory().allocate(saved.stored());
        boolean isWhole = false;
        try {
            reader.read(
                    saved.block(),
                    (offset, bytes, from, length) -> context.engine()
                            .write(
                                    storage.buffer(),
                                    offset / saved.stored().dtype().bytes(),
                                    new Slice(bytes, from, length)));
            isWhole = true;
            restored.put(saved.memory(), storage);
            return new Value.Present(new Array(storage.buffer(), saved.layout()), storage);
        } catch (StateLostException failure) {
            return new Value.Poisoned(lost(saved, failure), saved.type());
        } finally {
            if (!isWhole) {
                storage.release();
            }
        }
    }

    private Fault lost(StateReader.Saved saved, StateLostException failure) {
        return context.faults()
                .record(new OutpostException(
                        FaultKind.EXTERNAL,
                        "resume: value %" + saved.id() + ", " + saved.type() + ", is lost: " + failure.getMessage(),
                        failure));
    }
}
