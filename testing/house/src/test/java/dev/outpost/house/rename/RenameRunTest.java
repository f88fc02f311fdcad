package dev.outpost.house.rename;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.house.source.InMemorySource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Renames in small sources: tests each kind of row and the refused renames. */
@Tag("quick")
class RenameRunTest {
    private final Map<String, String> sources = new TreeMap<>();

    @Test
    void aTypeIsRenamedWithItsFileItsReferencesAndItsJavadoc() throws Exception {
        sources.put(
                "p/Steps.java",
                "package p;\n/** {@link Steps#of} */\npublic class Steps { Steps() {} static Steps of(Steps s) { return new Steps(); } }");
        sources.put("q/User.java", """
                package q;
                import p.Steps;
                /** Steps, {@link Steps}, {@link p.Steps#of(Steps) steps}, {@code Steps}. */
                class User<T extends Steps> {
                  String text = "Steps"; // Steps
                  java.util.List<Steps> all; Class<?> type = Steps.class; p.Steps[] array;
                }
                """);
        assertEquals(
                Map.of(
                        "p/DeltaEncoding.java",
                        "package p;\n/** {@link DeltaEncoding#of} */\npublic class DeltaEncoding { DeltaEncoding() {} static DeltaEncoding of("
                                + "DeltaEncoding s) { return new DeltaEncoding(); } }",
                        "q/User.java",
                        """
                        package q;
                        import p.DeltaEncoding;
                        /** Steps, {@link DeltaEncoding}, {@link p.DeltaEncoding#of(DeltaEncoding) steps}, {@code Steps}. */
                        class User<T extends DeltaEncoding> {
                          String text = "Steps"; // Steps
                          java.util.List<DeltaEncoding> all; Class<?> type = DeltaEncoding.class; p.DeltaEncoding[] array;
                        }
                        """),
                renamed("type\tp.Steps\tDeltaEncoding"));
    }

    @Test
    void callsOfOtherConstructorsStay() throws Exception {
        sources.put("p/Steps.java", "package p; class Steps { Steps() { this(1); } Steps(int n) {} }");
        sources.put("p/User.java", "package p; class User extends Steps { User() { super(2); } }");
        assertEquals(
                Map.of(
                        "p/Delta.java",
                        "package p; class Delta { Delta() { this(1); } Delta(int n) {} }",
                        "p/User.java",
                        "package p; class User extends Delta { User() { super(2); } }"),
                renamed("type\tp.Steps\tDelta"));
    }

    @Test
    void anonymousClassesWithinARenamedOneStayTheSame() throws Exception {
        sources.put(
                "p/Steps.java",
                "package p; class Steps { Object o = new Object() { public int hashCode() { return super.hashCode(); } }; }");
        assertEquals(
                "package p; class Delta { Object o = new Object() { public int hashCode() { return super.hashCode(); } }; }",
                renamed("type\tp.Steps\tDelta").get("p/Delta.java"));
    }

    @Test
    void anotherTypeOfTheSameNameStays() throws Exception {
        sources.put("p/Life.java", "package p; public class Life {}");
        sources.put("q/Life.java", "package q; public class Life { Life other; /** {@link Life} */ p.Life mine; }");
        assertEquals(
                "package q; public class Life { Life other; /** {@link Life} */ p.Lifetime mine; }",
                renamed("type\tp.Life\tLifetime").get("q/Life.java"));
    }

    @Test
    void aNestedTypeStaysInItsFile() throws Exception {
        sources.put("p/Engine.java", "package p; class Engine { class Flight {} Flight now; Engine.Flight next; }");
        assertEquals(
                Map.of("p/Engine.java", "package p; class Engine { class Step {} Step now; Engine.Step next; }"),
                renamed("type\tp.Engine.Flight\tStep"));
    }

    @Test
    void aMethodIsRenamedWithWhatOverridesIt() throws Exception {
        sources.put("p/A.java", "package p; interface A { void tell(); }");
        sources.put("p/B.java", "package p; class B implements A { public void tell() {} void tell(int x) {} }");
        sources.put(
                "p/C.java",
                "package p; class C { void run(B b) { Runnable r = b::tell; b.tell(); b.tell(1); ((A) b).tell(); } void tell() {} }");
        assertEquals(
                Map.of(
                        "p/A.java", "package p; interface A { void send(); }",
                        "p/B.java", "package p; class B implements A { public void send() {} void tell(int x) {} }",
                        "p/C.java",
                                "package p; class C { void run(B b) { Runnable r = b::send; b.send(); b.tell(1); ((A) b).send(); } void tell() {} }"),
                renamed("method\tp.A#tell\tsend"));
    }

    @Test
    void aMethodThatOverridesALibraryIsRefused() {
        sources.put("p/A.java", "package p; class A implements Runnable { public void run() {} }");
        assertRefused("run overrides java.lang.Runnable.run(), which is not ours", "method\tp.A#run\tstart");
    }

    @Test
    void aStaticImportFollows() throws Exception {
        sources.put("p/A.java", "package p; public class A { public static void look() {} public static int most; }");
        sources.put(
                "q/B.java",
                "package q; import static p.A.look; import static p.A.most; class B { void run() { look(); most++; } }");
        assertEquals(
                "package q; import static p.A.read; import static p.A.max; class B { void run() { read(); max++; } }",
                renamed("method\tp.A#look\tread", "field\tp.A#most\tmax").get("q/B.java"));
    }

    @Test
    void aComponentIsRenamedWithItsAccessor() throws Exception {
        sources.put(
                "p/A.java",
                "package p;\n/** @param most how many */\nrecord A(int most) { A { if (most < 0) throw new Error(); } int twice() { return most + most(); } }");
        sources.put(
                "p/B.java",
                "package p; class B { int run(Object o) { return o instanceof A(int most) ? most : new A(1).most(); } }");
        assertEquals(
                Map.of(
                        "p/A.java",
                        "package p;\n/** @param max how many */\nrecord A(int max) { A { if (max < 0) throw new Error(); } int twice() { return max + max(); } }",
                        "p/B.java",
                        "package p; class B { int run(Object o) { return o instanceof A(int most) ? most : new A(1).max(); } }"),
                renamed("field\tp.A#most\tmax"));
    }

    @Test
    void aWordIsRenamedBesideItsTypeOnly() throws Exception {
        sources.put("p/Group.java", "package p; class Group {}");
        sources.put("p/A.java", """
                package p;
                class A {
                  static final Group MAIN_UNIT = null; private Group unit; private int units;
                  /** @param exchangingUnit it */
                  Group run(Group exchangingUnit, String unit) {
                    java.util.function.UnaryOperator<Group> same = unit2 -> unit2;
                    for (Group unit3 : new Group[0]) { this.unit = unit3; }
                    return same.apply(exchangingUnit);
                  }
                }
                """);
        assertEquals("""
                package p;
                class A {
                  static final Group MAIN_GROUP = null; private Group group; private int units;
                  /** @param exchangingGroup it */
                  Group run(Group exchangingGroup, String unit) {
                    java.util.function.UnaryOperator<Group> same = group2 -> group2;
                    for (Group group3 : new Group[0]) { this.group = group3; }
                    return same.apply(exchangingGroup);
                  }
                }
                """, renamed("variable\tGroup unit\tgroup").get("p/A.java"));
    }

    @Test
    void aVariableStaysWhereItsNewNameIsTaken() throws Exception {
        sources.put("p/A.java", """
                package p;
                class A {
                  int max;
                  int field(int most) { return most + max; }
                  int local(int most) { int max = 1; return most + max; }
                  int apart(int most) { return most + this.max; }
                }
                """);
        RenameRun run = run("variable\tint most\tmax");
        assertTrue(run.changed().get("p/A.java").text().contains("int apart(int max) { return max + this.max; }"));
        assertTrue(run.changed()
                .get("p/A.java")
                .text()
                .contains("int local(int most) { int max = 1; return most + max; }"));
        assertEquals(
                List.of("p/A.java:4: most stays, max is taken there", "p/A.java:5: most stays, max is taken there"),
                run.plan().leftOut());
    }

    @Test
    void aVariableGetsTheNextNameWhereTheFirstOneIsTaken() throws Exception {
        sources.put("p/A.java", """
                package p;
                class A {
                  void run() {
                    try { wait(); } catch (Exception over) {
                      try { wait(); } catch (Exception gone) { over.addSuppressed(gone); }
                    }
                  }
                  int max(int most, int max) { return most + max; }
                }
                """);
        String text = run("caught\t*\tfailure|exception/ignored", "variable\tint most\tmax|limit")
                .changed()
                .get("p/A.java")
                .text();
        assertTrue(text.contains("catch (Exception exception) {\n"), text);
        assertTrue(text.contains("catch (Exception failure) { exception.addSuppressed(failure); }"), text);
        assertTrue(text.contains("int max(int limit, int max) { return limit + max; }"), text);
    }

    @Test
    void aNameThatWouldMeanSomethingElseIsRefused() {
        sources.put("p/A.java", "package p; class A { int most; class B extends C { int run() { return most; } } }");
        sources.put("p/C.java", "package p; class C { int max; }");
        assertRefused(
                "names would mean something else:\n  p/A.java:1: a name would mean p/C.java#1, not p/A.java#1",
                "field\tp.A#most\tmax");
    }

    @Test
    void aWholeNameIsRenamedAndWhatIsKeptStays() throws Exception {
        sources.put(
                "p/A.java",
                "package p; class A { boolean over; boolean carriedOver; boolean most; boolean mostRows; }");
        assertEquals(
                "package p; class A { boolean isOver; boolean carriedOver; boolean max; boolean mostRows; }",
                renamed("variable\tboolean =over\tisOver", "variable\tboolean most\tmax", "keep\tp.A#mostRows")
                        .get("p/A.java"));
    }

    @Test
    void aMethodIsRenamedByTheNumberOfItsParameters() throws Exception {
        sources.put(
                "p/A.java",
                "package p; class A { long heard() { return 0; } void heard(long now) { heard(heard()); } }");
        assertEquals(
                "package p; class A { long lastHeard() { return 0; } void heard(long now) { heard(lastHeard()); } }",
                renamed("method\tp.A#heard(0)\tlastHeard").get("p/A.java"));
    }

    @Test
    void rowsThatCannotBeFollowedAreRefusedTogetherOrSkipped() throws Exception {
        sources.put("p/A.java", "package p; class A { int a; }");
        String[] rows = {"type\tp.B\tC", "field\tp.A#b\tc", "type\tp.A\tD"};
        assertRefused("there is no type p.B\nthere is no field p.A#b", rows);
        RenameRun run = RenameRun.of(
                List.of(new InMemorySource("p/A.java", sources.get("p/A.java"))),
                Stream.of(rows).map(RenameRow::parse).toList(),
                "",
                true);
        assertEquals(
                "package p; class D { int a; }", run.changed().get("p/A.java").text());
        assertEquals(
                List.of("there is no type p.B", "there is no field p.A#b"),
                run.plan().refused());
    }

    @Test
    void caughtExceptionsGetStandardNames() throws Exception {
        sources.put("p/A.java", """
                package p;
                class A {
                  void run() {
                    try { wait(); } catch (InterruptedException over) { }
                    try { wait(); } catch (InterruptedException e) { } catch (RuntimeException broken) { throw broken; }
                    try { wait(); } catch (Exception nobodyWantsIt) { }
                  }
                }
                """);
        assertEquals(
                """
                package p;
                class A {
                  void run() {
                    try { wait(); } catch (InterruptedException interrupted) { }
                    try { wait(); } catch (InterruptedException e) { } catch (RuntimeException failure) { throw failure; }
                    try { wait(); } catch (Exception ignored) { }
                  }
                }
                """,
                renamed("caught\tInterruptedException\tinterrupted", "caught\t*\tfailure/ignored")
                        .get("p/A.java"));
    }

    @Test
    void sourcesWithoutTheNamesLoseTheirBodiesOnly() throws Exception {
        InMemorySource source = new InMemorySource(
                "p/A.java",
                "package p; class A { final int a; A() { a = 1; } int b() { return a; } abstract class B { abstract int c(); } }");
        List<InMemorySource> reduced =
                new RelevantNames(List.of(RenameRow.parse("type\tp.C\tD"))).reduce(List.of(source));
        assertEquals(
                "package p; class A { final int a; A() { a = 1; } int b() { throw null; } abstract class B { abstract int c(); } }",
                reduced.getFirst().text());
        for (String row : List.of("type\tp.C\tA", "method\tp.C#b\td", "variable\tC c\tx", "field\tp.C#x\ta")) {
            assertEquals(
                    List.of(source), new RelevantNames(List.of(RenameRow.parse(row))).reduce(List.of(source)), row);
        }
    }

    @Test
    void aTakenNameOfATypeIsRefused() {
        sources.put("p/A.java", "package p; class A {}");
        sources.put("q/B.java", "package q; class B { class C {} }");
        assertRefused("the name C is taken by q.B.C", "type\tp.A\tC");
        assertRefused("the name Record is taken by java.lang.Record", "type\tp.A\tRecord");
        assertRefused("there is no type p.D", "type\tp.D\tE");
    }

    @Test
    void sourcesThatDoNotCompileAreRefused() {
        sources.put("p/A.java", "package p; class A { Missing m; }");
        assertTrue(assertThrows(RefusedRenameException.class, () -> run("type\tp.A\tB"))
                .getMessage()
                .startsWith("the sources do not compile:\n  p/A.java:1: cannot find symbol"));
    }

    private void assertRefused(String message, String... rows) {
        assertEquals(
                message,
                assertThrows(RefusedRenameException.class, () -> run(rows)).getMessage());
    }

    private Map<String, String> renamed(String... rows) throws Exception {
        Map<String, String> texts = new TreeMap<>();
        run(rows).changed().values().forEach(source -> texts.put(source.path(), source.text()));
        return texts;
    }

    private RenameRun run(String... rows) throws Exception {
        List<InMemorySource> all = new ArrayList<>();
        sources.forEach((path, text) -> all.add(new InMemorySource(path, text)));
        return RenameRun.of(all, Stream.of(rows).map(RenameRow::parse).toList(), "");
    }
}
