package dev.outpost.channel.frame;

import dev.outpost.protocol.message.Feature;
import java.util.Set;

/**
 * The version and features of a connection.
 *
 * @param version the minor version
 * @param features the features that both sides have
 */
public record NegotiatedProtocol(int version, Set<Feature> features) {
    public NegotiatedProtocol {
        features = Set.copyOf(features);
    }

    public boolean has(Feature feature) {
        return features.contains(feature);
    }
}
