package dev.outpost.backend.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InputsTest {
    /** A pattern whose dot is no end of a line finds nothing between two of them. */
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\n", "a\u001b[2Jb", "a\nb\u001b[2J\nc", "a\rb\rc", "a\u0085b"})
    void pathsOfArtefactsHaveNoControlCharacters(String path) {
        assertThrows(Problem.class, () -> Inputs.artefactPath(path));
    }

    @Test
    void pathsOfArtefactsMayHaveFoldersAndAnyLetters() {
        assertEquals("run/1/Zürich ☃.txt", Inputs.artefactPath("run/1/Zürich ☃.txt"));
    }
}
