package dev.outpost.client.session;

import dev.outpost.channel.frame.NegotiatedProtocol;
import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.protocol.message.Feature;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;

/** The features of a session's machine. The session ends if the machine lacks a required feature. Thread-safe. */
final class SessionFeatures {
    private final String name;
    private final Consumer<OutpostException> fail;
    /** Each feature has the part of the error message that names the missing ability. */
    private final Map<Feature, String> required = new ConcurrentSkipListMap<>();
    /** Null until the machine is ready. */
    private volatile NegotiatedProtocol negotiated;

    /** @param fail ends the session */
    SessionFeatures(String name, Consumer<OutpostException> fail) {
        this.name = name;
        this.fail = fail;
    }

    /** Requires a feature. If the machine lacks it, the session ends, now or as soon as the machine has answered. */
    void require(Feature feature, String lack) {
        required.put(feature, lack);
        if (isKnown()) {
            failForLacking();
        }
    }

    /** True after the machine has answered once. */
    boolean isKnown() {
        return negotiated != null;
    }

    /** Returns false if the session ends, because the machine lacks a required feature. */
    boolean begin(NegotiatedProtocol answered) {
        negotiated = answered;
        return !failForLacking();
    }

    boolean has(Feature feature) {
        NegotiatedProtocol known = negotiated;
        return known != null && known.has(feature);
    }

    private boolean failForLacking() {
        for (Map.Entry<Feature, String> each : required.entrySet()) {
            if (!has(each.getKey())) {
                fail.accept(lacking(each.getValue()));
                return true;
            }
        }
        return false;
    }

    OutpostException lacking(String ability) {
        return new OutpostException(
                FaultKind.EXTERNAL,
                name + ": the machine speaks protocol " + ProtocolVersions.name(negotiated.version()) + " and "
                        + ability + "; use a newer one");
    }
}
