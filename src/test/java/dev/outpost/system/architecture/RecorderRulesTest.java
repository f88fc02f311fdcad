package dev.outpost.system.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;

/** Tensors, autograd, layers and optimizers use a recorder without knowing its implementation. */
class RecorderRulesTest {
    private static final String CLIENT = "dev.outpost.client..";
    private static final String TRACING =
            "dev\\.outpost\\.internal\\.trace\\.(Tracer|Traced|TracedOutputs|TracedWrite)(\\$.*)?";
    private static final String OF_A_PROGRAM =
            "dev\\.outpost\\.client\\.program\\.(ProgramRecorder|ProgramWriter|ProgramOutputs|TracedState|TracedStorage|TracedTensorRef"
                    + "|TracedArgument|TracedNumbers|EagerState)";

    private static final JavaClasses CLASSES = ProductClasses.ALL;

    /** Only the recorder decides whether a call is recorded for a program; builders of programs begin and end this recording. */
    @Test
    void onlyRecordersAskWhetherAProgramIsTraced() {
        noClasses()
                .that()
                .resideOutsideOfPackage(CLIENT)
                .and()
                .haveNameNotMatching(TRACING)
                .should()
                .dependOnClassesThat()
                .haveNameMatching(OF_A_PROGRAM)
                .check(CLASSES);
    }

    @Test
    void onlyTheRecorderFindsTheProgramOfAThread() {
        noClasses()
                .that()
                .resideOutsideOfPackage(CLIENT)
                .should()
                .callMethod("dev.outpost.client.program.ProgramRecorder", "ofThread")
                .check(CLASSES);
    }

    /** A group of machines has a different recorder. */
    @Test
    void onlyAMachineKnowsThatItsRecorderIsOfOneMachine() {
        classes()
                .that()
                .haveNameMatching("dev\\.outpost\\.client\\.session\\.SessionRecorder")
                .should()
                .onlyHaveDependentClassesThat()
                .haveNameMatching("dev\\.outpost\\.(RemoteMachine(\\$1)?|KeptTensors|client\\..*)")
                .check(CLASSES);
    }
}
