package dev.outpost.torch.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.torch.fuzz.Difference.Kind;
import dev.outpost.torch.fuzz.StatementOutcome.Broken;
import dev.outpost.torch.fuzz.StatementOutcome.Computed;
import dev.outpost.torch.fuzz.StatementOutcome.Refused;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An entry for samples explains neither programs nor other kinds of differences. */
@Tag("quick")
class KnownDifferencesTest {
    private static final KnownDifferences OF_SAMPLES = new KnownDifferences(true);
    private static final KnownDifferences OF_PROGRAMS = new KnownDifferences(false);
    private static final StatementOutcome COMPUTED =
            new Computed(Map.of("r", Optional.of(new Seen(HostTensor.scalar(1), false))));

    private static Difference difference(Kind kind, StatementOutcome ours, StatementOutcome theirs) {
        return new Difference(Draft.of().call("r", "cdist", false), kind, "r", "", ours, theirs, Map.of());
    }

    private static Difference refusedByPyTorch(String words) {
        return difference(Kind.ONLY_PYTORCH_REFUSES, COMPUTED, new Refused(words));
    }

    private static void assertExplainedOfSamplesOnly(Difference difference) {
        assertTrue(OF_SAMPLES.reason(difference).isPresent(), difference::toString);
        assertEquals(Optional.empty(), OF_PROGRAMS.reason(difference));
    }

    @Test
    void operandsOfSeveralDTypesArePromotedInSamples() {
        assertExplainedOfSamplesOnly(refusedByPyTorch("RuntimeError: expected scalar type Double but found Short"));
        assertExplainedOfSamplesOnly(
                refusedByPyTorch("RuntimeError: mixed dtype (CPU): expect parameter to have scalar type of Float"));
        assertEquals(Optional.empty(), OF_SAMPLES.reason(refusedByPyTorch("RuntimeError: sizes do not match")));
    }

    @Test
    void placeOfTheLargestBoolIsExplainedForItsOpsAlone() {
        String words = "NotImplementedError: argmin(): does not support bool input";
        Difference argmin = new Difference(
                Draft.of().call("r", "argmin", false),
                Kind.ONLY_PYTORCH_REFUSES,
                "r",
                "",
                COMPUTED,
                new Refused(words),
                Map.of());
        assertTrue(OF_PROGRAMS.reason(argmin).isPresent());
        assertEquals(Optional.empty(), OF_PROGRAMS.reason(refusedByPyTorch(words)), "of cdist");
    }

    @Test
    void theSameWordsOfOutpostExplainNothing() {
        Refused refused = new Refused("RuntimeError: expected scalar type Double but found Short");
        assertEquals(Optional.empty(), OF_SAMPLES.reason(difference(Kind.ONLY_OUTPOST_REFUSES, refused, COMPUTED)));
    }

    @Test
    void aFormThatTheTableLacksIsNoDefectOfASample() {
        Broken unmapped = new Broken("dev.outpost.vocabulary.UnsupportedFormException: cdist: this form is not there");
        assertExplainedOfSamplesOnly(difference(Kind.OUTPOST_BREAKS, unmapped, COMPUTED));
        Broken broken = new Broken("java.lang.IllegalArgumentException: 0 > -21");
        assertEquals(Optional.empty(), OF_SAMPLES.reason(difference(Kind.OUTPOST_BREAKS, broken, COMPUTED)));
    }

    @Test
    void aNumberIsWantedWhereATensorStandsForOne() {
        Refused refused = new Refused("linspace: start must be a number, got TensorArgument[name=t0]");
        assertTrue(OF_SAMPLES
                .reason(difference(Kind.ONLY_OUTPOST_REFUSES, refused, COMPUTED))
                .isPresent());
        Refused other = new Refused("linspace: start must be finite, got NaN");
        assertEquals(Optional.empty(), OF_SAMPLES.reason(difference(Kind.ONLY_OUTPOST_REFUSES, other, COMPUTED)));
    }
}
