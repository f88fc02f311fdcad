package dev.outpost.client;

import com.google.protobuf.UnsafeByteOperations;
import dev.outpost.client.failures.Explanations;
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
final class Questions {
    private final Generation values;
    private final OpenSegments segments;
    private final Incarnation machine;

    Questions(Generation values) {
        this.values = values;
        this.segments = values.segments();
        this.machine = values.machine();
    }

    /** @param source the line of the program, or null */
    CompletableFuture<Void> fetch(StoredOperand operand, ElementSink sink, String source) {
        RemoteValue held = operand.storage().handle().held();
        values.requireOwn(held);
        if (operand.isWhole()) {
            return fetch(held, sink);
        }
        RemoteValue part = copy(operand, held, source);
        try {
            return fetch(part, sink);
        } finally {
            values.letGo(part, true);
        }
    }

    /** Only what a view covers moves. */
    private RemoteValue copy(StoredOperand operand, RemoteValue held, String source) {
        TensorType type = new TensorType(held.type().dtype(), operand.layout().shape());
        return segments.append(Unary.COPY, new Object[] {operand}, Unary.COPY.infer(type), source)[0];
    }

    private CompletableFuture<Void> fetch(RemoteValue value, ElementSink sink) {
        segments.sealOfThread();
        segments.sealProducer(value);
        Fetches fetches = machine.replies().fetches();
        long fetch = fetches.begin(value.type(), sink);
        CompletableFuture<Void> future = fetches.future(fetch);
        values.delivery().fetch(fetch, value);
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
                values.requireOwn(held);
                boolean isShaped = operand.isAsItStands(held);
                RemoteValue value = isShaped ? held : copy(operand, held, source);
                if (!isShaped) {
                    copies.add(value);
                }
                segments.sealProducer(value);
                long whole = named.computeIfAbsent(value, values.delivery()::onLead);
                request.addValues(
                        SaveRequest.NamedValue.newBuilder().setName(name).setValue(whole));
            });
            segments.sealOfThread();
            return machine.replies().sources().save(request, machine.delivery());
        } finally {
            named.forEach(values.delivery()::doneOnLead);
            copies.forEach(copy -> values.letGo(copy, true));
        }
    }

    CompletableFuture<Optional<Explanation>> explain(ValueHandle handle) {
        RemoteValue value = handle.held();
        values.requireOwn(value);
        segments.sealOfThread();
        segments.sealProducer(value);
        Explanations.Asked asked = machine.replies().explanations().ask();
        values.delivery().explain(asked.request(), value);
        return asked.answer();
    }

    CompletableFuture<Optional<Explanation>> explain(RemoteProgram program) {
        if (!values.delivery().keeps(program)) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        segments.sealOfThread();
        Explanations.Asked asked = machine.replies().explanations().ask();
        values.delivery().explain(asked.request(), program);
        return asked.answer();
    }
}
