package dev.outpost.backend.worker;

import dev.outpost.backend.seal.SealKeys;
import dev.outpost.provider.fleet.MachineRef;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Signs the labels of orders for worker hosts, which name the owner of a machine. A host that reports a machine whose row was lost also
 * reports its labels, so it cannot forge another tenant.
 */
final class OrderSignatures {
    private static final String LABEL = "signature";

    private final SealKeys keys;

    OrderSignatures(SealKeys keys) {
        this.keys = keys;
    }

    /** Returns the labels of an order with a signature among them; the same labels if this backend has no key. */
    Map<String, String> sign(MachineRef machine, String gpu, Map<String, String> labels) {
        if (!keys.isReady()) {
            return labels;
        }
        Map<String, String> signed = new HashMap<>(labels);
        signed.put(LABEL, keys.token(purpose(machine, gpu, labels)));
        return signed;
    }

    /** Returns the labels of an order without the signature; empty if this backend has not signed them. */
    Optional<Map<String, String>> verify(MachineRef machine, String gpu, Map<String, String> signed) {
        Map<String, String> labels = new HashMap<>(signed);
        return Optional.ofNullable(labels.remove(LABEL))
                .filter(signature -> keys.isToken(purpose(machine, gpu, labels), signature))
                .map(signature -> labels);
    }

    /**
     * Returns the text to sign. Values of labels have no control characters, so different labels never give the same
     * text.
     */
    private static String purpose(MachineRef machine, String gpu, Map<String, String> labels) {
        StringBuilder text = new StringBuilder("worker order\n")
                .append(machine.id())
                .append('\n')
                .append(machine.epoch())
                .append('\n')
                .append(gpu);
        new TreeMap<>(labels)
                .forEach((key, value) ->
                        text.append('\n').append(key).append('=').append(value));
        return text.toString();
    }
}
