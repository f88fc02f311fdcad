package dev.outpost.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class SelectionTest {
    @TempDir
    private Path root;

    private Modules modules;

    @BeforeEach
    void write() throws Exception {
        modules = TestTree.in(root);
    }

    @Test
    void withoutNamesEverythingRuns() throws Exception {
        Selection selection = select();
        assertTrue(selection.everything());
        assertEquals(
                List.of("a/core", "b", "src/test"),
                selection.testedModules(modules).stream().map(BuildModule::path).toList());
    }

    @Test
    void aModuleIsNamedByItsPathItsLastFolderOrItsArtifact() throws Exception {
        for (String name : List.of("a/core", "core", "core/", "outpost-a")) {
            Selection selection = select(name);
            assertEquals(List.of("x.SenderTest"), selection.tests(), name);
            assertFalse(selection.named(), "the tags of a module's tests count");
        }
    }

    @Test
    void aClassIsNamedWithOrWithoutItsPackage() throws Exception {
        for (String name : List.of("ReceiverTest", "y.ReceiverTest", "Receiver*")) {
            Selection selection = select(name);
            assertEquals(List.of("y.ReceiverTest"), selection.tests(), name);
            assertEquals(Set.of("b"), paths(selection.modules()));
            assertFalse(selection.named(), "the tags of a class's tests count");
        }
    }

    @Test
    void aMethodFollowsADotOrASign() throws Exception {
        assertEquals(
                List.of("y.ReceiverTest#reads"), select("ReceiverTest.reads").tests());
        assertEquals(
                List.of("y.ReceiverTest#reads"), select("y.ReceiverTest#reads").tests());
    }

    @Test
    void aClassOfAProfileBringsItsModule() throws Exception {
        assertEquals(Set.of("races"), paths(select("RacesTest").modules()));
    }

    @Test
    void anUnknownNameIsRefusedWithSimilarOnes() {
        UsageException refusal = assertThrows(UsageException.class, () -> select("SendTest"));
        assertEquals("no module, class or method is called SendTest; similar: x.SenderTest", refusal.getMessage());
    }

    @Test
    void aChangedModuleBringsItsDependents() {
        assertEquals(
                Set.of("b", "src/test"), paths(Selection.changed(modules, List.of("b/src/main/java/y/Receiver.java"))));
        assertEquals(Set.of("a/core", "b", "src/test"), paths(Selection.changed(modules, List.of("a/core/pom.xml"))));
    }

    @Test
    void aSourceBringsTheCheckOfNames() throws Exception {
        modules = TestTree.withNames(root);
        assertTrue(paths(Selection.changed(modules, List.of("b/src/main/java/y/Receiver.java")))
                .contains("testing/house"));
        assertFalse(paths(Selection.changed(modules, List.of("b/pom.xml"))).contains("testing/house"));
    }

    @Test
    void aPageBringsTheSystemTests() {
        assertEquals(Set.of("src/test"), paths(Selection.changed(modules, List.of("docs/jobs.md"))));
    }

    @Test
    void theRootPomBringsAllModules() {
        assertEquals(Set.of("a/core", "b", "races", "src/test"), paths(Selection.changed(modules, List.of("pom.xml"))));
    }

    @Test
    void aRealClusterBringsTheSystemTestsUnlessTestsAreNamed() throws Exception {
        assertEquals(List.of("s.WholeTest"), select("--real-cluster").tests());
        assertEquals(
                List.of("y.ReceiverTest"),
                select("--real-cluster", "ReceiverTest").tests());
    }

    @Test
    void nothingChangedIsEmpty() {
        assertEquals(Set.of(), paths(Selection.changed(modules, List.of())));
    }

    private Selection select(String... names) throws Exception {
        return Selection.of(RunnerOptions.parse(List.of(names)), modules, root);
    }

    private static Set<String> paths(Set<BuildModule> chosen) {
        return chosen.stream().map(BuildModule::path).collect(Collectors.toSet());
    }
}
