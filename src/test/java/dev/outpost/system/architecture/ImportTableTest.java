package dev.outpost.system.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.outpost.channel.grant.Secrets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The permitted imports among modules. ARCHITECTURE.md shows the dependencies of the build. */
class ImportTableTest {
    private static final String PROTOCOL = "dev.outpost.protocol..";
    private static final String CHANNEL = "dev.outpost.channel..";
    private static final String BYTES = "dev.outpost.protocol.bytes..";
    /** Dtypes, shapes and exceptions, which users import from the protocol. */
    private static final String EXPLAIN = "dev.outpost.explain..";

    private static final String TYPES = "dev.outpost.types..";

    private static final String PROVIDER = "dev.outpost.provider..";
    private static final String[] SPI = {
        "dev.outpost.provider", "dev.outpost.provider.fleet..", "dev.outpost.provider.support.."
    };
    private static final String PROCESS = "dev.outpost.provider.process..";
    private static final String OUTPOST = "dev.outpost.provider.outpost..";
    private static final String LAN = "dev.outpost.provider.lan..";
    private static final String REST = "dev.outpost.rest..";
    private static final String REST_CLIENT = "dev.outpost.rest.client..";
    private static final String ONNX = "dev.outpost.onnx..";
    private static final String BACKEND = "dev.outpost.backend..";
    private static final String RELAY = "dev.outpost.relay..";
    private static final String RELAY_NAMES = "dev.outpost.relay.name..";
    private static final String K8S = "dev.outpost.provider.k8s..";
    private static final String MOCK = "dev.outpost.provider.mock..";
    private static final String RUNTIME = "dev.outpost.runtime..";
    private static final String RUNNER = "dev.outpost.runtime.server.job..";
    private static final String CUDA = "dev.outpost.runtime.cuda..";
    /** The cases by which engines are compared: test code of the runtime. */
    private static final String COMPARISON = "dev.outpost.runtime.engine.comparison..";

    private static final String GPU_CHECK = "dev.outpost.gpucheck..";
    private static final String MODELS = "dev.outpost.models..";
    private static final String INFERENCE = "dev.outpost.inference..";
    private static final String SERVING = "dev.outpost.serving..";
    private static final String CLI = "dev.outpost.cli..";
    private static final String EXAMPLES = "dev.outpost.examples..";
    /** The cluster of the tests, a module of its own that is never published. */
    private static final String SIMULATED = "dev.outpost.simulated..";
    /** The runtime in the JVM of a test. It is part of the same module, in the package of the application that it starts. */
    private static final String LOOPBACK = "dev\\.outpost\\.runtime\\.server\\.(Loopback.*|Variables)(\\$.*)?";

    private static final String TORCH = "dev.outpost.torch..";

    private static final String TAPE = "dev.outpost.protocol.tape..";
    /** Classes of the runtime's sessions that receive segments, programs and calls of those. */
    private static final DescribedPredicate<JavaClass> DECODES = DescribedPredicate.describe(
            "decodes segments or programs",
            type -> List.of(
                            "IncomingSegments",
                            "run.LoadedProgram",
                            "run.ScanRequests",
                            "program.Programs",
                            "program.ProgramRunner",
                            "program.ScanRun")
                    .stream()
                    .map("dev.outpost.runtime.session."::concat)
                    .anyMatch(name ->
                            type.getName().equals(name) || type.getName().startsWith(name + "$")));

    private static final String[] API = {
        "dev.outpost",
        "dev.outpost.autograd..",
        "dev.outpost.client..",
        "dev.outpost.data..",
        "dev.outpost.distributions..",
        "dev.outpost.functional..",
        "dev.outpost.internal..",
        "dev.outpost.io..",
        "dev.outpost.linalg..",
        "dev.outpost.metrics..",
        "dev.outpost.nn..",
        "dev.outpost.ops..",
        "dev.outpost.sharding..",
        "dev.outpost.optim..",
        "dev.outpost.source..",
        "dev.outpost.stats..",
        "dev.outpost.transport..",
        "dev.outpost.vocabulary.."
    };

    private static final String RECORD = "dev.outpost.client.record..";
    private static final String PROGRAM = "dev.outpost.client.program..";
    private static final String SESSION = "dev.outpost.client.session..";
    private static final String GROUP = "dev.outpost.client.group..";

    private static final JavaClasses CLASSES = ProductClasses.ALL;

    @Test
    void protocolImportsNoOtherModule() {
        noClasses()
                .that()
                .resideInAnyPackage(PROTOCOL, EXPLAIN, TYPES)
                .should()
                .dependOnClassesThat(outside(PROTOCOL, EXPLAIN, TYPES))
                .check(CLASSES);
    }

    @Test
    void typesImportNothingElse() {
        noClasses()
                .that()
                .resideInAPackage(TYPES)
                .should()
                .dependOnClassesThat(outside(TYPES))
                .check(CLASSES);
    }

    @Test
    void channelImportsBytesAndFaultsOnly() {
        noClasses()
                .that()
                .resideInAPackage(CHANNEL)
                .should()
                .dependOnClassesThat(outside(CHANNEL, BYTES, TYPES, "dev.outpost.protocol.message.."))
                .check(CLASSES);
    }

    @Test
    void spiImportsTheChannelOnly() {
        noClasses()
                .that()
                .resideInAnyPackage(SPI)
                .should()
                .dependOnClassesThat(outside(CHANNEL).and(outside(SPI)))
                .check(CLASSES);
    }

    @Test
    void apiImportsNoRuntimeAndNoProvider() {
        noClasses()
                .that()
                .resideInAnyPackage(API)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        RUNTIME, MOCK, K8S, PROCESS, OUTPOST, LAN, REST, BACKEND, RELAY, MODELS, INFERENCE, ONNX, CLI,
                        EXAMPLES)
                .check(CLASSES);
    }

    /** Recording passes on sealed segments, and knows neither their receivers nor the callers of programs. */
    @Test
    void recordingKnowsNeitherProgramsNorSessions() {
        noClasses()
                .that()
                .resideInAPackage(RECORD)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(PROGRAM, SESSION, GROUP)
                .check(CLASSES);
    }

    /** Exchanges use lanes of any kind: TLS, sockets, shared memory, or queues in one JVM. */
    @Test
    void exchangesKnowNoConnections() {
        noClasses()
                .that()
                .resideInAPackage("dev.outpost.runtime.peer")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.outpost.runtime.peer.network..")
                .check(CLASSES);
    }

    /** Ops are launched, and neither the launcher nor an op knows the queue, the graphs and the collectives of the engine. */
    @Test
    void cudaHasThreeLayers() {
        noClasses()
                .that()
                .resideInAPackage("dev.outpost.runtime.cuda.launch")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.outpost.runtime.cuda.kernel", "dev.outpost.runtime.cuda.engine")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("dev.outpost.runtime.cuda.kernel")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.outpost.runtime.cuda.engine")
                .check(CLASSES);
    }

    @Test
    void programsKnowNoSessions() {
        noClasses()
                .that()
                .resideInAPackage(PROGRAM)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(SESSION, GROUP)
                .check(CLASSES);
    }

    @Test
    void aSessionKnowsNoGroup() {
        noClasses()
                .that()
                .resideInAPackage(SESSION)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(GROUP)
                .check(CLASSES);
    }

    @Test
    void modelsKnowTheApiOnly() {
        noClasses()
                .that()
                .resideInAPackage(MODELS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        RUNTIME, MOCK, K8S, PROCESS, OUTPOST, REST, BACKEND, RELAY, CLI, EXAMPLES, INFERENCE, SERVING)
                .check(CLASSES);
    }

    @Test
    void inferenceKnowsModelsAndTheApiOnly() {
        noClasses()
                .that()
                .resideInAPackage(INFERENCE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        RUNTIME, MOCK, K8S, PROCESS, OUTPOST, LAN, REST, BACKEND, RELAY, CLI, EXAMPLES, SERVING)
                .check(CLASSES);
    }

    /** A program without workers of the local network does not need the library that finds them. */
    @Test
    void onlyModelsOverWorkersKnowTheLan() {
        noClasses()
                .that()
                .resideInAPackage(MODELS)
                .and()
                .resideOutsideOfPackage("dev.outpost.models.lan..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(LAN)
                .check(CLASSES);
    }

    @Test
    void onnxKnowsTheApiAndTheLanOnly() {
        noClasses()
                .that()
                .resideInAPackage(ONNX)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        RUNTIME, MOCK, K8S, PROCESS, OUTPOST, REST, BACKEND, RELAY, MODELS, INFERENCE, CLI, EXAMPLES,
                        SERVING)
                .check(CLASSES);
    }

    /** Code that writes instructions in another format reads them. */
    @Test
    void onlyTheExportOfOnnxKnowsTheProtocol() {
        noClasses()
                .that()
                .resideInAPackage(ONNX)
                .and()
                .resideOutsideOfPackage("dev.outpost.onnx.export")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(PROTOCOL)
                .check(CLASSES);
    }

    /**
     * A JVM without the Vector API cannot load a class that uses it: such classes have a name that begins with Vector, or generate code
     * that uses it.
     */
    @Test
    void onlyClassesOfVectorsUseTheVectorApi() {
        noClasses()
                .that()
                .haveNameNotMatching(".*\\.(Vector\\w+|ChainGenerator|JitWarmer)(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jdk.incubator.vector..")
                .check(CLASSES);
    }

    @Test
    void onlyTheOnnxModuleOfTheRuntimeKnowsOnnxRuntime() {
        noClasses()
                .that()
                .resideInAPackage("dev.outpost..")
                .and()
                .resideOutsideOfPackage("dev.outpost.runtime.onnx..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("ai.onnxruntime..")
                .check(CLASSES);
    }

    @Test
    void servingKnowsModelsAndTheApiOnly() {
        noClasses()
                .that()
                .resideInAPackage(SERVING)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(RUNTIME, MOCK, K8S, PROCESS, BACKEND, RELAY, CLI, EXAMPLES)
                .check(CLASSES);
    }

    /** A gateway asks a backend which machine serves what, as its client does. */
    @Test
    void ofServingTheGatewayAloneKnowsABackend() {
        noClasses()
                .that()
                .resideInAPackage(SERVING)
                .and()
                .resideOutsideOfPackage("dev.outpost.serving.gateway..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(OUTPOST, REST)
                .check(CLASSES);
    }

    @Test
    void onlyTheSourcesModuleKnowsAws() {
        noClasses()
                .that()
                .resideInAPackage("dev.outpost..")
                .and()
                .resideOutsideOfPackage("dev.outpost.runtime.sources..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("software.amazon..")
                .check(CLASSES);
    }

    @Test
    void runtimeImportsProtocolAndChannelOnly() {
        noClasses()
                .that()
                .resideInAPackage(RUNTIME)
                .and()
                .resideOutsideOfPackage(RUNNER)
                .should()
                .dependOnClassesThat(outside(PROTOCOL, EXPLAIN, TYPES, CHANNEL, RUNTIME))
                .check(CLASSES);
    }

    /** The runner of a job asks the backend. */
    @Test
    void theRunnerOfAJobKnowsTheApiOfTheBackend() {
        noClasses()
                .that()
                .resideInAPackage(RUNNER)
                .should()
                .dependOnClassesThat(outside(PROTOCOL, EXPLAIN, TYPES, CHANNEL, RUNTIME, REST))
                .check(CLASSES);
    }

    @Test
    void graphsDoNotImportTheirCodec() {
        noClasses()
                .that()
                .resideInAPackage("dev.outpost.protocol.ir..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(TAPE, "dev.outpost.protocol.message..")
                .check(CLASSES);
    }

    /** All other parts of the runtime get graphs: plans, engines, recomputation, explanations. */
    @Test
    void onlyDecodersImportTheTape() {
        noClasses()
                .that(JavaClass.Predicates.resideInAPackage(RUNTIME).and(not(DECODES)))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(TAPE)
                .check(CLASSES);
    }

    @Test
    void theKubernetesProviderKnowsTheSpiAndTheChannelOnly() {
        noClasses()
                .that()
                .resideInAPackage(K8S)
                .should()
                .dependOnClassesThat(outside(CHANNEL, K8S).and(outside(SPI)))
                .check(CLASSES);
    }

    @Test
    void theProcessProviderKnowsTheSpiAndTheChannelOnly() {
        noClasses()
                .that()
                .resideInAPackage(PROCESS)
                .should()
                .dependOnClassesThat(outside(CHANNEL, PROCESS).and(outside(SPI)))
                .check(CLASSES);
    }

    @Test
    void theApiOfTheBackendKnowsTheSpiAndTheChannelOnly() {
        noClasses()
                .that()
                .resideInAPackage(REST)
                .should()
                .dependOnClassesThat(outside(CHANNEL, REST).and(outside(SPI)))
                .check(CLASSES);
    }

    @Test
    void recordsOfTheApiDoNotKnowItsClient() {
        noClasses()
                .that()
                .resideInAPackage(REST)
                .and()
                .resideOutsideOfPackage(REST_CLIENT)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(REST_CLIENT)
                .check(CLASSES);
    }

    @Test
    void theProviderOfTheBackendKnowsItsApiTheSpiAndTheChannelOnly() {
        noClasses()
                .that()
                .resideInAPackage(OUTPOST)
                .should()
                .dependOnClassesThat(outside(CHANNEL, OUTPOST, REST).and(outside(SPI)))
                .check(CLASSES);
    }

    @Test
    void theProviderOfTheLanKnowsTheSpiAndTheChannelOnly() {
        noClasses()
                .that()
                .resideInAPackage(LAN)
                .should()
                .dependOnClassesThat(outside(CHANNEL, LAN).and(outside(SPI)))
                .check(CLASSES);
    }

    @Test
    void theBackendKnowsItsApiTheSpiTheChannelAndTheNamesOfRelaysOnly() {
        noClasses()
                .that()
                .resideInAPackage(BACKEND)
                .should()
                .dependOnClassesThat(
                        outside(CHANNEL, BACKEND, REST, RELAY_NAMES).and(outside(SPI)))
                .check(CLASSES);
    }

    @Test
    void theRelayKnowsNobody() {
        noClasses()
                .that()
                .resideInAPackage(RELAY)
                .should()
                .dependOnClassesThat(outside(RELAY))
                .check(CLASSES);
    }

    /** The backend signs names with these. */
    @Test
    void theNamesOfRelaysArePlainJava() {
        noClasses()
                .that()
                .resideInAPackage(RELAY_NAMES)
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("java..", "javax.crypto..", RELAY_NAMES)
                .check(CLASSES);
    }

    /** The phases of the API are allowed too, and the library that reads cron expressions, which is a function of text and time. */
    @Test
    void backendDecisionsImportPlainJavaOnly() {
        noClasses()
                .that()
                .resideInAPackage("dev.outpost.backend.model..")
                .should()
                // Secrets needs only the JDK.
                .dependOnClassesThat(JavaClass.Predicates.resideOutsideOfPackages(
                                "java..", "com.cronutils..", "dev.outpost.backend.model..", "dev.outpost.rest..")
                        .and(not(JavaClass.Predicates.equivalentTo(Secrets.class))))
                .check(CLASSES);
    }

    @Test
    void onlyTheBackendsStoreImportsSql() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.outpost.backend.api..", "dev.outpost.backend.fleet..", "dev.outpost.backend.web..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.sql..")
                .check(CLASSES);
    }

    @Test
    void theProductDoesNotKnowTheSimulatedCluster() {
        noClasses()
                .that()
                .resideInAPackage("dev.outpost..")
                .and()
                .resideOutsideOfPackage(SIMULATED)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(SIMULATED)
                .check(CLASSES);
    }

    @Test
    void onlyTheSimulatedClusterKnowsTheRuntimeOfTests() {
        noClasses()
                .that()
                .resideInAPackage("dev.outpost..")
                .and()
                .resideOutsideOfPackage(SIMULATED)
                .and()
                .haveNameNotMatching(LOOPBACK)
                .should()
                .dependOnClassesThat()
                .haveNameMatching(LOOPBACK)
                .check(CLASSES);
    }

    @Test
    void theSimulatedClusterKnowsTheRuntimeOnly() {
        noClasses()
                .that()
                .resideInAPackage(SIMULATED)
                .should()
                .dependOnClassesThat(outside(SIMULATED, RUNTIME))
                .check(CLASSES);
    }

    @Test
    void onlyTheKubernetesProviderAndTheSimulatedClusterKnowFabric8() {
        noClasses()
                .that()
                .resideInAPackage("dev.outpost..")
                .and()
                .resideOutsideOfPackages(K8S, SIMULATED)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.fabric8..")
                .check(CLASSES);
    }

    @Test
    void onlyTheCudaModuleKnowsJcuda() {
        noClasses()
                .that()
                .resideInAPackage("dev.outpost..")
                .and()
                .resideOutsideOfPackage(CUDA)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jcuda..")
                .check(CLASSES);
    }

    /** Users get none of it. */
    @Test
    void productsKnowNoCheckOfAGpu() {
        noClasses()
                .that()
                .resideInAPackage("dev.outpost..")
                .and()
                .resideOutsideOfPackage(GPU_CHECK)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(GPU_CHECK, COMPARISON)
                .check(CLASSES);
    }

    @Test
    void theCudaModuleUsesJcudaForTheDriverOnly() {
        noClasses()
                .that()
                .resideInAPackage(CUDA)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jcuda.runtime..", "jcuda.nvrtc..", "jcuda.nvptxcompiler..")
                .check(CLASSES);
    }

    @Test
    void providersImportNoOp() {
        noClasses()
                .that()
                .resideInAPackage(PROVIDER)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.outpost.protocol.op..", "dev.outpost.protocol.tape..")
                .check(CLASSES);
    }

    @Test
    void apiImportsPlainJavaOnly() {
        noClasses()
                .that()
                .resideInAnyPackage(API)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.quarkus..", "io.fabric8..", "jcuda..", "software.amazon..", "java.lang.foreign..")
                .check(CLASSES);
    }

    @Test
    void theProductDoesNotImportTheComparisonWithPyTorch() {
        noClasses()
                .that()
                .resideInAPackage("dev.outpost..")
                .and()
                .resideOutsideOfPackages(TORCH, GPU_CHECK)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(TORCH)
                .check(CLASSES);
    }

    @Test
    void theComparisonWithPyTorchKnowsTheApiOnly() {
        noClasses()
                .that()
                .resideInAPackage(TORCH)
                .and()
                .resideOutsideOfPackage("dev.outpost.torch.command")
                .should()
                .dependOnClassesThat(outside(TORCH, TYPES, EXPLAIN).and(outside(API)))
                .check(CLASSES);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().assignedFrom(PACKAGES).should().beFreeOfCycles().check(CLASSES);
    }

    /**
     * Checks each package separately, but those of a listed cycle together. PackageCyclesTest reads sources; this test also finds types
     * that a class uses without naming them.
     */
    private static final SliceAssignment PACKAGES = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(PackageCyclesTest.listed().stream()
                    .filter(cycle -> List.of(cycle.split(" ")).contains(type.getPackageName()))
                    .findFirst()
                    .orElse(type.getPackageName()));
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    };

    /** Classes of ours outside the given packages. */
    private static DescribedPredicate<JavaClass> outside(String... packages) {
        return JavaClass.Predicates.resideInAPackage("dev.outpost..")
                .and(JavaClass.Predicates.resideOutsideOfPackages(packages));
    }
}
