package dev.outpost.cli.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
    @Test
    void columnsAreAsWideAsTheirLongestCell() {
        assertThrows(IllegalArgumentException.class, () -> new TextTable("NAME", ""));
        TextTable table = new TextTable("NAME", "N", "NOTE");
        table.row("a longer name", 1, "");
        table.row("b", 1000, "x");
        assertEquals(List.of("NAME           N     NOTE", "a longer name  1", "b              1000  x"), table.lines());
    }

    @Test
    void textsOfOthersMoveNoCursor() {
        TextTable table = new TextTable("NAME");
        table.row("a\u001b[2J\u009b2J\nb");
        assertEquals(List.of("NAME", "a [2J 2J b"), table.lines());
    }
}
