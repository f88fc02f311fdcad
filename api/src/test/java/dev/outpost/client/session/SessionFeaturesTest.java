package dev.outpost.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.frame.NegotiatedProtocol;
import dev.outpost.protocol.message.Feature;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SessionFeaturesTest {
    private final List<String> failures = new ArrayList<>();
    private final SessionFeatures features = new SessionFeatures("m", this::failed);

    private void failed(OutpostException reason) {
        failures.add(reason.getMessage().replaceAll(".* and |; use a newer one", ""));
    }

    private static NegotiatedProtocol with(Feature... all) {
        return new NegotiatedProtocol(1, Set.of(all));
    }

    @Test
    void aMachineThatHasAllGoesOn() {
        features.require(Feature.GROUPS, "cannot be a member");
        assertFalse(features.isKnown());
        assertFalse(features.has(Feature.GROUPS), "the machine has not answered");
        assertTrue(features.begin(with(Feature.GROUPS, Feature.ROUNDED_SUMS)));
        features.require(Feature.ROUNDED_SUMS, "cannot round");
        assertTrue(features.isKnown());
        assertTrue(features.has(Feature.GROUPS));
        assertEquals(List.of(), failures);
    }

    /** The first feature in the order of their numbers is named: without groups, the others do not matter. */
    @Test
    void aMissingFeatureEndsTheSessionWhenTheMachineAnswers() {
        features.require(Feature.ROUNDED_SUMS, "cannot round");
        features.require(Feature.GROUPS, "cannot be a member");
        assertEquals(List.of(), failures);
        assertFalse(features.begin(with(Feature.EXPLAIN)));
        assertEquals(List.of("cannot be a member"), failures);
    }

    @Test
    void aFeatureThatIsRequiredLaterEndsTheSessionAtOnce() {
        assertTrue(features.begin(with(Feature.GROUPS)));
        features.require(Feature.RANDOM_PARTS, "cannot make parts");
        assertEquals(List.of("cannot make parts"), failures);
    }
}
