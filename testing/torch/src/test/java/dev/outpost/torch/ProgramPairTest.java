package dev.outpost.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The standard programs of the examples and the same programs in PyTorch have equal losses, from equal weights on. The property
 * {@code outpost.pairs.whole} runs them in their full length, and only prints the differences.
 */
class ProgramPairTest {
    private static final String PYTHON =
            Optional.ofNullable(System.getenv("OUTPOST_PYTHON")).orElse("python3");

    private static final double LIMIT = 1e-5;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @Tag("full")
    @CsvSource({
        "DigitsCnn, digits_cnn, 2, 10",
        "CharacterGpt, character_gpt, 1, 6",
        "DigitsVae, digits_vae, 2, 20",
        "PackedLstm, packed_lstm, 1, 15",
        "CatchDqn, catch_dqn, 30, 300"
    })
    void lossesAreEqual(String java, String python, int brief, int whole) throws IOException {
        Optional<String> problem = ProgramPair.problem(PYTHON);
        if (problem.isPresent()) {
            abort("no Python with PyTorch, " + PYTHON + ": " + problem.get());
        }
        boolean isWhole = Boolean.getBoolean("outpost.pairs.whole");
        ProgramPair pair = new ProgramPair(java, python, isWhole ? whole : brief);
        ProgramPair.Runs runs = pair.run(PYTHON, Path.of("../../examples/pytorch"), folder);
        System.out.println(row(pair, runs));
        if (!isWhole) {
            assertTrue(runs.difference() <= LIMIT, () -> "the losses differ by " + runs.difference());
            assertEquals(runs.torch().output(), runs.outpost().output());
        }
    }

    private static String row(ProgramPair pair, ProgramPair.Runs runs) {
        return String.format(
                Locale.ROOT,
                "%s: %d steps, difference %.1e; Outpost %.1f s (process %.1f s), PyTorch %.1f s (process %.1f"
                        + " s)%n%s%n%s",
                pair.java(),
                runs.outpost().losses().size(),
                runs.difference(),
                runs.outpost().seconds(),
                runs.outpost().elapsed(),
                runs.torch().seconds(),
                runs.torch().elapsed(),
                runs.outpost().output(),
                runs.torch().output());
    }

    private static ProgramPair.Run losses(Double... losses) {
        return new ProgramPair.Run("", List.of(losses), 0, 0);
    }

    @Test
    @Tag("quick")
    void differenceIsRelativeAboveOneAndSeesMissingSteps() {
        assertEquals(0.25, new ProgramPair.Runs(losses(5.0, 0.5), losses(4.0, 0.4)).difference(), 1e-12);
        assertEquals(Double.POSITIVE_INFINITY, new ProgramPair.Runs(losses(1.0), losses(1.0, 1.0)).difference());
        assertEquals(Double.POSITIVE_INFINITY, new ProgramPair.Runs(losses(Double.NaN), losses(1.0)).difference());
    }

    @Test
    @Tag("quick")
    void aMissingPythonIsNamed() throws IOException {
        String problem = ProgramPair.problem("/nowhere/python").orElseThrow();
        assertTrue(problem.contains("/nowhere/python"), problem);
    }
}
