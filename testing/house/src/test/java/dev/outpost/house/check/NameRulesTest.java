package dev.outpost.house.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.house.source.ParsedSources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks that each rule finds its violations, and finds none in clean sources. */
@Tag("quick")
class NameRulesTest {
    private static final String LIFE = "provider-k8s/src/main/java/p/Life.java";

    private static final BannedWords WORDS = new BannedWords(List.of(
            word(BannedWord.Kind.CLASS, "Life", "", "provider-k8s", "LifetimePolicy"),
            word(BannedWord.Kind.CLASS, "WayFinder", "", "provider-k8s", "EndpointResolver"),
            word(BannedWord.Kind.CLASS, "Flight", "BatchEngine", "models", "InFlightStep"),
            word(BannedWord.Kind.VARIABLE, "unit", "LaunchGroup|LaunchGroup[]", "", "group"),
            word(BannedWord.Kind.VARIABLE, "most", "int", "", "max"),
            word(BannedWord.Kind.VARIABLE, "waits", "BlockingWaits", "", "blockingWaits"),
            word(BannedWord.Kind.VARIABLE, "=over", "boolean", "", "isOver"),
            word(BannedWord.Kind.VARIABLE, "life", "Life@provider-k8s", "", "lifetime"),
            word(BannedWord.Kind.METHOD, "tell*", "", "", "notify"),
            word(BannedWord.Kind.METHOD, "share", "PageAllocator", "", "allocate"),
            word(BannedWord.Kind.COMMENT, "recipe", "", "", "rematerialization"),
            word(BannedWord.Kind.COMMENT, "way in", "", "", "access mode")));

    private static BannedWord word(
            BannedWord.Kind kind, String word, String beside, String module, String replacement) {
        return new BannedWord(kind, word, BannedWords.list(beside), BannedWords.list(module), false, replacement);
    }

    @Test
    void aBannedClassNameIsFoundInItsModuleWithItsTest() throws Exception {
        assertEquals(
                List.of(
                        LIFE + ":2: class Life: say LifetimePolicy",
                        "provider-k8s/src/test/java/p/LifeTest.java:2: class LifeTest: say LifetimePolicyTest"),
                found(SmallSources.of(Map.of(
                        LIFE,
                        "package p;\nclass Life {}",
                        "provider-k8s/src/test/java/p/LifeTest.java",
                        "package p;\nclass LifeTest {}",
                        "api/src/main/java/q/Life.java",
                        "package q;\nclass Life2 {}"))));
    }

    @Test
    void aBannedClassNameOfOneWordIsRightElsewhere() throws Exception {
        assertEquals(
                List.of(), found(SmallSources.of(Map.of("api/src/main/java/q/Life.java", "package q; class Life {}"))));
        assertEquals(List.of(), bodyFound("private static class Life {}"));
    }

    @Test
    void aBannedClassNameOfSeveralWordsIsRightElsewhereWhereItsRowSaysSo() throws Exception {
        String text = "package q; class MachineSource {}";
        for (boolean isOnlyThere : new boolean[] {true, false}) {
            BannedWord word = new BannedWord(
                    BannedWord.Kind.CLASS,
                    "MachineSource",
                    List.of(),
                    List.of("serving"),
                    isOnlyThere,
                    "ConfiguredMachines");
            BannedClasses rule = new BannedClasses(BannedNames.of(new BannedWords(List.of(word))));
            assertEquals(
                    1,
                    rule.violations(SmallSources.of(Map.of("serving/src/main/java/q/A.java", text)))
                            .count());
            assertEquals(
                    isOnlyThere ? 0 : 1,
                    rule.violations(SmallSources.of(Map.of("api/src/main/java/q/A.java", text)))
                            .count());
        }
    }

    @Test
    void aNestedClassIsBannedBesideItsOwner() throws Exception {
        String path = "models/src/main/java/p/BatchEngine.java";
        assertEquals(
                List.of(path + ":1: class Flight: say InFlightStep"),
                found(SmallSources.of(Map.of(path, "package p; class BatchEngine { class Flight {} }"))));
    }

    @Test
    void anOldWordBesideItsTypeIsFoundAsAPartOfANameToo() throws Exception {
        assertEquals(
                List.of(
                        "3: LaunchGroup unit: say group for unit",
                        "4: LaunchGroup[] exchangingUnitAt: say group for unit",
                        "5: int mostRows: say max for most",
                        "6: LaunchGroup unit: say group for unit",
                        "6: LaunchGroup unit2: say group for unit"),
                bodyFound("""
                        private LaunchGroup unit;
                        private p.@Nullable LaunchGroup[] exchangingUnitAt;
                        void run(int mostRows) {
                          if (o instanceof LaunchGroup unit) { var unit2 = new LaunchGroup(); }
                        }"""));
    }

    @Test
    void aWordBesideAnotherTypeAndTheReplacementAreClean() throws Exception {
        assertEquals(List.of(), bodyFound("""
                private String unit;
                private LaunchGroup group, community;
                private BlockingWaits blockingWaits;
                private boolean isOver, carriesOver;
                private double most;"""));
    }

    @Test
    void aWholeNameIsFoundAsAWholeOnly() throws Exception {
        assertEquals(List.of("3: boolean over: say isOver for =over"), bodyFound("private boolean over;"));
    }

    @Test
    void theTypeOfAnotherModuleIsAnotherType() throws Exception {
        String user = "provider-k8s/src/main/java/p/User.java";
        String other = "package q; public class Life {}";
        assertEquals(
                List.of(),
                found(SmallSources.of(Map.of(
                        "api/src/main/java/q/Life.java",
                        other,
                        user,
                        "package p; import q.Life; class User { private Life life; }"))));
    }

    @Test
    void theOldNameOfAClassIsAnOldWordBesideTheNewOne() throws Exception {
        assertEquals(
                List.of("3: LifetimePolicy newLife: say lifetimePolicy for life"),
                bodyFound("private LifetimePolicy newLife, policy;"));
    }

    @Test
    void aBannedMethodIsFoundWithFurtherWords() throws Exception {
        assertEquals(
                List.of("3: method tell: say notify", "4: method tellAll: say notify"),
                bodyFound("void tell() {}\nvoid tellAll() {}\nvoid retell() {}\nvoid teller() {}"));
    }

    @Test
    void aMethodMayBeBannedInOneClass() throws Exception {
        assertEquals(List.of(), bodyFound("void share() {}"));
        assertEquals(List.of("3: method share: say allocate"), bodyFound("class PageAllocator { void share() {} }"));
    }

    @Test
    void aCommentMustNotSayABannedWord() throws Exception {
        assertEquals(
                List.of(
                        "3: comment says \"recipe\": say rematerialization",
                        "5: comment says \"WayFinder\": say EndpointResolver",
                        "6: comment says \"Life\": say LifetimePolicy",
                        "7: comment says \"way in\": say access mode"),
                bodyFound("""
                        // Recipe of all
                        /*
                         * see WayFinder
                         * {@link Life#end}
                         */ int a; // the way in
                        String s = "recipe"; // recipes, Life is long, a way into it"""));
    }

    @Test
    void twoTopLevelTypesMustNotHaveOneName() throws Exception {
        Map<String, String> sources = Map.of(
                "api/src/main/java/p/Batch.java", "package p; class Batch {}",
                "onnx/src/main/java/q/Batch.java", "package q; record Batch() {}",
                "onnx/src/main/java/q/Outer.java", "package q; class Outer { class Batch {} }");
        assertEquals(
                List.of(
                        "api/src/main/java/p/Batch.java:1: type Batch is also in onnx/src/main/java/q/Batch.java",
                        "onnx/src/main/java/q/Batch.java:1: type Batch is also in api/src/main/java/p/Batch.java"),
                found(SmallSources.of(sources)));
        SameNames listed = new SameNames(Map.of("Batch", 2));
        assertEquals(List.of(), NamesCheck.violations(SmallSources.of(sources), WORDS, listed));
    }

    @Test
    void aReasonForASameNameThatIsGoneIsOutdated() throws Exception {
        ParsedSources sources = SmallSources.of(Map.of("api/src/main/java/p/Batch.java", "package p; class Batch {}"));
        assertEquals(
                List.of("same-names.tsv: Batch has 1 types, the row says 2"),
                new SameNames(Map.of("Batch", 2)).outdated(sources));
    }

    @Test
    void aQuestionMustAnswer() throws Exception {
        assertEquals(
                List.of("3: void isBroken: begin with the verb of what it does"),
                bodyFound("void isBroken() {}\nboolean isWhole() { return true; }\nvoid issue() {}\nvoid cancel() {}"));
    }

    @Test
    void theNameOfACaughtExceptionIsStandard() throws Exception {
        assertEquals(
                List.of(
                        "4: catch (InterruptedException over): say interrupted",
                        "5: catch (IOException | FleetException nobodyWantsIt): say failure, or ignored if it is not used"),
                bodyFound("""
                        void run() {
                          try { a(); } catch (InterruptedException over) {}
                          try { a(); } catch (IOException | FleetException nobodyWantsIt) {}
                          try { a(); } catch (IOException e) {} catch (TimeoutException timeout) {}
                          try { a(); } catch (IOException closeFailure) {} catch (RejectedExecutionException rejected) {}
                          try { a(); } catch (InterruptedException _) {} catch (MalformedException malformed) {}
                        }"""));
    }

    private static List<String> bodyFound(String text) throws Exception {
        String place = "provider-k8s/src/main/java/p/Sample.java:";
        return found(SmallSources.body(text)).stream()
                .map(violation -> violation.replace(place, ""))
                .toList();
    }

    private static List<String> found(ParsedSources sources) {
        return NamesCheck.violations(sources, WORDS, new SameNames(Map.of())).stream()
                .map(Violation::toString)
                .toList();
    }
}
