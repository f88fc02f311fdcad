package dev.outpost.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ModulePrinterTest {
    @Test
    void numbersPrintAsInPython() {
        assertEquals("1e-05", ModulePrinter.number(1e-5));
        assertEquals("0.0001", ModulePrinter.number(1e-4));
        assertEquals("0.5", ModulePrinter.number(0.5));
        assertEquals("1.0", ModulePrinter.number(1));
        assertEquals("20000000.0", ModulePrinter.number(2e7));
        assertEquals("1.1920928955078125e-07", ModulePrinter.number(0x1p-23));
    }
}
