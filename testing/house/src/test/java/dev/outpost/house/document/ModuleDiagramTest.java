package dev.outpost.house.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ModuleDiagramTest {
    @Test
    void diagramLeavesOutImpliedDependenciesAndInnerPackages() {
        ProjectModule base = new ProjectModule("base", Set.of("a.base"), Set.of(), Set.of());
        ProjectModule middle =
                new ProjectModule("x/middle", Set.of("a.one", "a.one.in", "a.two"), Set.of("base"), Set.of());
        ProjectModule top = new ProjectModule("top", Set.of("a.top"), Set.of("base", "x/middle"), Set.of("base"));
        assertEquals("""
                flowchart BT
                    base["<b>base</b><br/>a.base"]
                    x_middle["<b>x/middle</b><br/>a<br/>one two"]
                    top["<b>top</b><br/>a.top"]
                    x_middle --> base
                    top --> x_middle
                    top -.-> base
                """, new ModuleDiagram(List.of(base, middle, top)).text());
    }
}
