package dev.outpost.client.session;

import com.google.protobuf.UnsafeByteOperations;
import dev.outpost.client.failures.PendingExplanations;
import dev.outpost.client.program.Recorder;
import dev.outpost.client.program.RemoteProgram;
import dev.outpost.client.record.OpenSegments;
import dev.outpost.client.record.ReadCache;
import dev.outpost.client.record.RecordingState;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.StoredOperand;
import dev.outpost.client.record.ValueHandle;
import dev.outpost.client.transfer.ElementSink;
import dev.outpost.explain.Explanation;
import dev.outpost.protocol.message.SaveRequest;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;

/**
 * Records questions about values: reads, explanations and saved models. A question returns null while recording is suspended, because its
 * caller must not wait: it holds back other messages of the session. Thread-safe.
 */
public final class QueryRecorder {
    private final RecordingState recording;
    private MachineSession session;
    private SessionDelivery delivery;

    public QueryRecorder(RecordingState recording) {
        this.recording = recording;
    }

    /**
     * Sends questions to another session from now on. Called with the recording's lock held, when an epoch begins.
     *
     * @param answering the session that answers
     */
    public void begin(MachineSession answering, SessionDelivery next) {
        session = answering;
        delivery = next;
    }

    private RemoteValue held(StoredOperand operand) {
        RemoteValue held = operand.storage().handle().held();
        recording.epoch().requireOwn(held);
        return held;
    }

    // ---- elements that were read before

    /** See {@link Recorder#readBefore}. */
    public CompletableFuture<byte[]> readBefore(StoredOperand operand) {
        return recording.guarded(() -> {
            CompletableFuture<byte[]> elements = recording.epoch().reads().get(held(operand), partOf(operand, false));
            if (elements != null) {
                recording.epoch().segments().sealOfThread();
            }
            return elements;
        });
    }

    /** See {@link Recorder#shownBefore}. */
    public byte[] shownBefore(StoredOperand operand) {
        CompletableFuture<byte[]> elements =
                recording.guarded(() -> recording.epoch().reads().get(held(operand), partOf(operand, true)));
        return elements == null ? null : elements.join();
    }

    /** See {@link Recorder#keepShown}. */
    public void keepShown(StoredOperand operand, byte[] elements) {
        if (ReadCache.isKept(elements.length)) {
            CompletableFuture<byte[]> kept = CompletableFuture.completedFuture(elements);
            recording.guarded(() -> {
                recording.epoch().reads().put(held(operand), partOf(operand, true), kept, elements.length, true);
                return null;
            });
        }
    }

    private static ReadCache.Part partOf(StoredOperand operand, boolean isShown) {
        return new ReadCache.Part(operand.isWhole() ? null : operand.layout(), isShown);
    }

    // ---- reading

    /** See {@link Recorder#fetch}. */
    public CompletableFuture<Void> fetch(StoredOperand operand, ElementSink sink, boolean isPeek) {
        String source = recording.source();
        return recording.guarded(() -> {
            return recording.isSuspended() ? null : fetch(operand, sink, isPeek, source);
        });
    }

    private CompletableFuture<Void> fetch(StoredOperand operand, ElementSink sink, boolean isPeek, String source) {
        RemoteValue held = held(operand);
        long bytes = held.type().dtype().bytes() * operand.layout().shape().elements();
        if (!ReadCache.isKept(bytes)) {
            return fetch(operand, held, sink, isPeek, source);
        }
        ReadCache.Copy copy = new ReadCache.Copy(sink, (int) bytes);
        CompletableFuture<byte[]> read =
                fetch(operand, held, copy, isPeek, source).thenApply(nothing -> copy.elements());
        recording.epoch().reads().put(held, partOf(operand, false), read, bytes, isPeek);
        return read.thenAccept(elements -> {});
    }

    private CompletableFuture<Void> fetch(
            StoredOperand operand, RemoteValue held, ElementSink sink, boolean isPeek, String source) {
        if (operand.isWhole()) {
            return fetch(held, sink, isPeek);
        }
        RemoteValue part = copy(operand, held, source);
        try {
            return fetch(part, sink, isPeek);
        } finally {
            recording.epoch().release(part, true);
        }
    }

    /** Records a copy of the elements that a view covers, so that only these are sent. */
    private RemoteValue copy(StoredOperand operand, RemoteValue held, String source) {
        TensorType type = new TensorType(held.type().dtype(), operand.layout().shape());
        return recording
                .epoch()
                .segments()
                .append(Unary.COPY, new Object[] {operand}, Unary.COPY.infer(type), source)[0];
    }

    private CompletableFuture<Void> fetch(RemoteValue value, ElementSink sink, boolean isPeek) {
        sealBefore(value);
        PendingFetches fetches = session.replies().fetches();
        long fetch = fetches.begin(value.type(), sink, isPeek);
        CompletableFuture<Void> future = fetches.future(fetch);
        delivery.fetch(fetch, value);
        return future;
    }

    private void sealBefore(RemoteValue value) {
        OpenSegments segments = recording.epoch().segments();
        segments.sealOfThread();
        segments.sealProducer(value);
    }

    // ---- models

    /** See {@link Recorder#save}. */
    public CompletableFuture<byte[]> save(
            String uri,
            SequencedMap<String, StoredOperand> tensors,
            SequencedMap<String, byte[]> files,
            long shardBytes,
            String stem) {
        String source = recording.source();
        return recording.guarded(() -> {
            return recording.isSuspended() ? null : save(uri, tensors, files, shardBytes, stem, source);
        });
    }

    private CompletableFuture<byte[]> save(
            String uri,
            SequencedMap<String, StoredOperand> tensors,
            SequencedMap<String, byte[]> files,
            long shardBytes,
            String stem,
            String source) {
        SaveRequest.Builder request =
                SaveRequest.newBuilder().setUri(uri).setShardBytes(shardBytes).setStem(stem);
        files.forEach((path, bytes) -> request.addFiles(
                SaveRequest.SmallFile.newBuilder().setPath(path).setContent(UnsafeByteOperations.unsafeWrap(bytes))));
        List<RemoteValue> copies = new ArrayList<>();
        Map<RemoteValue, Long> named = new IdentityHashMap<>();
        try {
            tensors.forEach((name, operand) -> {
                RemoteValue held = held(operand);
                boolean isShaped = operand.isAsItStands(held);
                RemoteValue value = isShaped ? held : copy(operand, held, source);
                if (!isShaped) {
                    copies.add(value);
                }
                recording.epoch().segments().sealProducer(value);
                long whole = named.computeIfAbsent(value, delivery::onLead);
                request.addValues(
                        SaveRequest.NamedValue.newBuilder().setName(name).setValue(whole));
            });
            recording.epoch().segments().sealOfThread();
            return session.replies().sources().save(request, session.delivery());
        } finally {
            named.forEach(delivery::doneOnLead);
            copies.forEach(copy -> recording.epoch().release(copy, true));
        }
    }

    // ---- explanations

    /** Asks how the value of a handle was, or will be, computed. */
    public CompletableFuture<Optional<Explanation>> explain(ValueHandle handle) {
        return recording.guarded(() -> {
            if (recording.isSuspended()) {
                return null;
            }
            RemoteValue value = handle.held();
            recording.epoch().requireOwn(value);
            sealBefore(value);
            PendingExplanations.Asked asked = session.replies().explanations().ask();
            delivery.explain(asked.request(), value);
            return asked.answer();
        });
    }

    /** Asks how the latest run of a program was computed; empty if the machine does not keep the program. */
    public CompletableFuture<Optional<Explanation>> explain(RemoteProgram program) {
        return recording.guarded(() -> {
            if (recording.isSuspended()) {
                return null;
            }
            if (!delivery.keeps(program)) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            recording.epoch().segments().sealOfThread();
            PendingExplanations.Asked asked = session.replies().explanations().ask();
            delivery.explain(asked.request(), program);
            return asked.answer();
        });
    }
}
