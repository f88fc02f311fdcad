package dev.outpost.channel.frame;

import dev.outpost.protocol.message.Feature;
import dev.outpost.protocol.message.Hello;
import dev.outpost.protocol.message.Versions;
import dev.outpost.protocol.message.Welcome;
import dev.outpost.types.MalformedException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The versions and features of one side: a range of the protocol's minor versions, and features that another side may lack. Two sides use
 * the newest version that both support, with the features that both have.
 *
 * @param oldest the oldest minor version
 * @param newest the newest minor version
 * @param features the features of this side
 */
public record ProtocolVersions(int oldest, int newest, Set<Feature> features) {
    /** The first byte of each frame. Sides of different major versions cannot communicate. */
    public static final int MAJOR = 8;

    /** The versions that this build supports: its own version and the previous one. */
    public static final ProtocolVersions CURRENT = new ProtocolVersions(
            0,
            1,
            EnumSet.of(
                    Feature.EXPLAIN,
                    Feature.TRACE,
                    Feature.PACKED_BULK,
                    Feature.SOURCES,
                    Feature.GROUPS,
                    Feature.ROUNDED_SUMS,
                    Feature.PASSED_SEGMENTS,
                    Feature.RANDOM_PARTS,
                    Feature.SAVED_STATES,
                    Feature.KEPT_VALUES));

    public ProtocolVersions {
        if (oldest < 0 || newest < oldest) {
            throw new IllegalArgumentException("versions: expected a range, got " + oldest + " to " + newest);
        }
        features = Set.copyOf(features);
    }

    /** Returns a copy without the versions above the given one and their features. */
    public ProtocolVersions upTo(int version) {
        return new ProtocolVersions(oldest, version, features).without(Set.of());
    }

    /** Returns a copy without these features. */
    public ProtocolVersions without(Set<Feature> lacking) {
        return new ProtocolVersions(
                oldest,
                newest,
                features.stream()
                        .filter(feature -> !lacking.contains(feature) && since(feature) <= newest)
                        .collect(Collectors.toSet()));
    }

    /** Returns the range as a message. */
    public Versions versions() {
        return Versions.newBuilder().setOldest(oldest).setNewest(newest).build();
    }

    /** Negotiates with a peer by its hello; empty if there is no common version. */
    public Optional<NegotiatedProtocol> agree(Hello hello) {
        Versions other = hello.getVersions();
        int version = Math.min(newest, other.getNewest());
        if (other.getOldest() < 0 || version < Math.max(oldest, other.getOldest())) {
            return Optional.empty();
        }
        return Optional.of(new NegotiatedProtocol(version, common(hello.getFeaturesList(), version)));
    }

    /** Reads the runtime's decision. Throws MalformedException if this side does not support that version. */
    public NegotiatedProtocol accept(Welcome welcome) {
        int version = welcome.getVersion();
        if (version < oldest || version > newest) {
            throw new MalformedException("the machine chose protocol " + name(version) + ", this side speaks " + this);
        }
        NegotiatedProtocol negotiated = new NegotiatedProtocol(version, common(welcome.getFeaturesList(), version));
        if (negotiated.features().size() < Set.copyOf(welcome.getFeaturesList()).size()) {
            throw new MalformedException(
                    "the machine chose " + welcome.getFeaturesList() + ", this side has " + features);
        }
        return negotiated;
    }

    /** Returns a name such as {@code 8.1}. */
    public static String name(int version) {
        return MAJOR + "." + Integer.toUnsignedString(version);
    }

    /** Returns a name such as {@code 8.0 to 8.1}. */
    public static String name(Versions versions) {
        return versions.getOldest() == versions.getNewest()
                ? name(versions.getNewest())
                : name(versions.getOldest()) + " to " + name(versions.getNewest());
    }

    private Set<Feature> common(Collection<Feature> theirs, int version) {
        return features.stream()
                .filter(feature -> theirs.contains(feature) && since(feature) <= version)
                .collect(Collectors.toSet());
    }

    private static int since(Feature feature) {
        return switch (feature) {
            case EXPLAIN, TRACE -> 0;
            case PACKED_BULK, SOURCES, GROUPS, ROUNDED_SUMS, PASSED_SEGMENTS, RANDOM_PARTS, SAVED_STATES, KEPT_VALUES ->
                1;
            case FEATURE_UNSPECIFIED, UNRECOGNIZED -> Integer.MAX_VALUE;
        };
    }

    @Override
    public String toString() {
        return name(versions());
    }
}
