package dev.outpost.runtime.cuda.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class CudaCheckTest {
    private final CudaCheck check = new CudaCheck(code -> "text of " + code);

    @Test
    void successIsSilent() {
        check.check("cuInit", 0);
    }

    @Test
    void aFailureNamesCallCodeAndText() {
        CudaException failure = assertThrows(CudaException.class, () -> check.check("cuInit", 3));
        assertEquals("cuInit: failed with code 3: text of 3", failure.getMessage());
        assertEquals("cuInit", failure.call());
        assertEquals(3, failure.code());
    }

    @Test
    void versionsAreReadAsTheirWritersWriteThem() {
        assertEquals("12.6", CudaVersion.ofDriver(12060).toString());
        assertEquals("13.0", CudaVersion.ofDriver(13000).toString());
        assertEquals("12.9", CudaVersion.ofCublas(120903).toString());
        assertEquals("13.10", CudaVersion.ofCublas(131000).toString());
    }
}
