package dev.outpost.client.failures;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class InternalErrorReporterTest {
    private final InternalErrorReporter internalErrorReporter = new InternalErrorReporter();

    @Test
    void aDefectIsSurvivedAndAReasonIsNot() {
        assertDoesNotThrow(() -> internalErrorReporter.runReporting("a test", () -> {
            throw new IllegalStateException("a defect");
        }));
        assertDoesNotThrow(() -> internalErrorReporter.runReporting("a test", () -> {
            throw new StackOverflowError();
        }));
        assertThrows(
                OutpostException.class,
                () -> internalErrorReporter.runReporting("a test", () -> {
                    throw new OutpostException(FaultKind.EXTERNAL, "over");
                }));
    }
}
