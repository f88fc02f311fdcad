package dev.outpost.client.session;

import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.Storage;
import dev.outpost.protocol.message.ClientState;
import dev.outpost.protocol.message.Keep;
import dev.outpost.protocol.message.KeptValue;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.types.FaultKind;
import dev.outpost.types.Layout;
import dev.outpost.types.OutpostException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The storages that the program keeps by name, and the value that the machine has for each. A storage gets another value with each write
 * in place, so the machine learns the new values after each segment. It learns all of them at once, so another client never gets the
 * weights before a step with the optimizer's state after it. Guarded by the recording's lock.
 */
final class KeptNames {
    private static final int MAX_BYTES = ToRuntime.Request.MAX_BYTES / 2;

    private record Kept(Storage storage, KeptValue name) {}

    private final Map<String, Kept> kept = new LinkedHashMap<>();
    /** The ids that the machine has, by name. */
    private final Map<String, Long> sent = new HashMap<>();

    private final Set<String> forgotten = new TreeSet<>();
    private ClientState client = ClientState.getDefaultInstance();
    private int bytes;
    private boolean isUsed;

    /** Sends the position of the client even if nothing has a name. */
    void use() {
        isUsed = true;
    }

    /** Keeps a storage under a name, in place of an earlier one. */
    void keep(String name, Storage storage, Layout layout, boolean requiresGrad) {
        KeptValue.Builder value =
                KeptValue.newBuilder().setName(name).setOffset(layout.offset()).setRequiresGrad(requiresGrad);
        for (int dimension = 0; dimension < layout.shape().rank(); dimension++) {
            value.addSizes(layout.shape().size(dimension));
        }
        for (long stride : layout.strides()) {
            value.addStrides(stride);
        }
        KeptValue built = value.build();
        Kept before = kept.get(name);
        if (before != null && before.storage() == storage && before.name().equals(built)) {
            return;
        }
        int more =
                built.getSerializedSize() - (before == null ? 0 : before.name().getSerializedSize());
        if (bytes + more > MAX_BYTES) {
            throw new OutpostException(
                    FaultKind.USER,
                    "keep: the names need over " + MAX_BYTES + " bytes; forget names that are not needed");
        }
        bytes += more;
        kept.put(name, new Kept(storage, built));
        sent.remove(name);
        forgotten.remove(name);
        isUsed = true;
    }

    /** Keeps a storage whose value and name the machine has already. */
    void restored(KeptValue name, Storage storage) {
        KeptValue plain =
                name.toBuilder().clearValue().clearDtype().clearShape().build();
        kept.put(name.getName(), new Kept(storage, plain));
        bytes += plain.getSerializedSize();
        sent.put(name.getName(), name.getValue());
        isUsed = true;
    }

    void forget(String name) {
        Kept before = kept.remove(name);
        if (before != null) {
            bytes -= before.name().getSerializedSize();
            if (sent.remove(name) != null) {
                forgotten.add(name);
            }
        }
    }

    /** Forgets what the machine has, because another machine takes its place. */
    void forgetSent() {
        sent.clear();
        forgotten.clear();
        client = ClientState.getDefaultInstance();
    }

    /** Returns true if there may be changes, so the position of the client must be read. */
    boolean isUsed() {
        return isUsed;
    }

    /** Returns the changes that the machine does not know; null if there are none, or if a value is not recorded completely yet. */
    Keep changes(ClientState position) {
        Keep.Builder changes = Keep.newBuilder();
        for (Map.Entry<String, Kept> each : kept.entrySet()) {
            RemoteValue value = each.getValue().storage().handle().value();
            if (value == null || value.isLost()) {
                continue;
            }
            if (!value.isSealed()) {
                return null;
            }
            Long known = sent.get(each.getKey());
            if (known == null || known != value.id()) {
                changes.addValues(each.getValue().name().toBuilder().setValue(value.id()));
            }
        }
        boolean isSame = changes.getValuesCount() == 0
                && forgotten.isEmpty()
                && position.toBuilder()
                        .setLastValue(client.getLastValue())
                        .setLastUpdate(client.getLastUpdate())
                        .build()
                        .equals(client);
        if (isSame) {
            return null;
        }
        changes.getValuesList().forEach(value -> sent.put(value.getName(), value.getValue()));
        changes.addAllForgotten(forgotten);
        forgotten.clear();
        client = position;
        return changes.setClient(position).build();
    }
}
