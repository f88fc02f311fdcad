package dev.outpost.client;

import com.google.protobuf.UnsafeByteOperations;
import dev.outpost.client.failures.PendingExplanations;
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

/** The questions about the values of a generation. Guarded by the ledger's lock. */
final class QueryRecorder {
    private final ValueEpoch epoch;
    private final OpenSegments segments;
    private final MachineSession session;

    QueryRecorder(ValueEpoch epoch) {
        this.epoch = epoch;
        this.segments = epoch.segments();
        this.session = epoch.machine();
    }

    /**
     * Returns the elements of the storage's current value from an earlier read, which may still be under way. Returns null if no earlier
     * read fetched them. Ends this thread's segment unless it returns null.
     */
    CompletableFuture<byte[]> readBefore(StoredOperand operand) {
        RemoteValue held = operand.storage().handle().held();
        epoch.requireOwn(held);
        CompletableFuture<byte[]> elements = epoch.reads().get(held, partOf(operand, false));
        if (elements != null) {
            segments.sealOfThread();
        }
        return elements;
    }

    private static ReadCache.Part partOf(StoredOperand operand, boolean isShown) {
        return new ReadCache.Part(operand.isWhole() ? null : operand.layout(), isShown);
    }

    /** Returns the elements that {@link #keepShown} has kept, or null. */
    byte[] shownBefore(StoredOperand operand) {
        RemoteValue held = operand.storage().handle().held();
        epoch.requireOwn(held);
        CompletableFuture<byte[]> elements = epoch.reads().get(held, partOf(operand, true));
        return elements == null ? null : elements.join();
    }

    void keepShown(StoredOperand operand, byte[] elements) {
        if (ReadCache.isKept(elements.length)) {
            RemoteValue held = operand.storage().handle().held();
            epoch.requireOwn(held);
            CompletableFuture<byte[]> kept = CompletableFuture.completedFuture(elements);
            epoch.reads().put(held, partOf(operand, true), kept, elements.length, true);
        }
    }

    /**
     * @param isPeek as in {@link Recorder#fetch}
     * @param source the line of the program, or null
     */
    CompletableFuture<Void> fetch(StoredOperand operand, ElementSink sink, boolean isPeek, String source) {
        RemoteValue held = operand.storage().handle().held();
        epoch.requireOwn(held);
        long bytes = held.type().dtype().bytes() * operand.layout().shape().elements();
        if (!ReadCache.isKept(bytes)) {
            return fetch(operand, held, sink, isPeek, source);
        }
        ReadCache.Copy copy = new ReadCache.Copy(sink, (int) bytes);
        CompletableFuture<byte[]> read =
                fetch(operand, held, copy, isPeek, source).thenApply(nothing -> copy.elements());
        epoch.reads().put(held, partOf(operand, false), read, bytes, isPeek);
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
            epoch.release(part, true);
        }
    }

    /** Only what a view covers moves. */
    private RemoteValue copy(StoredOperand operand, RemoteValue held, String source) {
        TensorType type = new TensorType(held.type().dtype(), operand.layout().shape());
        return segments.append(Unary.COPY, new Object[] {operand}, Unary.COPY.infer(type), source)[0];
    }

    private CompletableFuture<Void> fetch(RemoteValue value, ElementSink sink, boolean isPeek) {
        segments.sealOfThread();
        segments.sealProducer(value);
        PendingFetches fetches = session.replies().fetches();
        long fetch = fetches.begin(value.type(), sink, isPeek);
        CompletableFuture<Void> future = fetches.future(fetch);
        epoch.delivery().fetch(fetch, value);
        return future;
    }

    /** @param tensors the operands by name */
    CompletableFuture<byte[]> save(
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
                RemoteValue held = operand.storage().handle().held();
                epoch.requireOwn(held);
                boolean isShaped = operand.isAsItStands(held);
                RemoteValue value = isShaped ? held : copy(operand, held, source);
                if (!isShaped) {
                    copies.add(value);
                }
                segments.sealProducer(value);
                long whole = named.computeIfAbsent(value, epoch.delivery()::onLead);
                request.addValues(
                        SaveRequest.NamedValue.newBuilder().setName(name).setValue(whole));
            });
            segments.sealOfThread();
            return session.replies().sources().save(request, session.delivery());
        } finally {
            named.forEach(epoch.delivery()::doneOnLead);
            copies.forEach(copy -> epoch.release(copy, true));
        }
    }

    CompletableFuture<Optional<Explanation>> explain(ValueHandle handle) {
        RemoteValue value = handle.held();
        epoch.requireOwn(value);
        segments.sealOfThread();
        segments.sealProducer(value);
        PendingExplanations.Asked asked = session.replies().explanations().ask();
        epoch.delivery().explain(asked.request(), value);
        return asked.answer();
    }

    CompletableFuture<Optional<Explanation>> explain(RemoteProgram program) {
        if (!epoch.delivery().keeps(program)) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        segments.sealOfThread();
        PendingExplanations.Asked asked = session.replies().explanations().ask();
        epoch.delivery().explain(asked.request(), program);
        return asked.answer();
    }
}
