package dev.outpost.simulated.kubernetes.device;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Evaluates the CEL expressions of selectors, with Kubernetes' libraries for quantities, versions and strings. */
final class DeviceExpressions {
    // Names contain a dot: an expression reads them as fields of a device, each with its own type.
    private static final String DEVICE_DRIVER = "device.driver";
    private static final String ATTRIBUTES = "device.attributes";
    private static final String CAPACITY = "device.capacity";

    private static final OpaqueType QUANTITY = OpaqueType.create("kubernetes.Quantity");
    private static final OpaqueType SEMVER = OpaqueType.create("kubernetes.Semver");

    /** Converts a quantity to a number. */
    private record Amount(BigDecimal value) {
        static Amount of(String text) {
            return new Amount(Quantity.parse(text).getNumericalAmount());
        }
    }

    /** Returns a version without a suffix such as {@code -rc1}. */
    private record Version(int[] numbers) {
        static Version of(String text) {
            try {
                return new Version(Stream.of(text.split("[-+]", 2)[0].split("\\."))
                        .mapToInt(Integer::parseInt)
                        .toArray());
            } catch (NumberFormatException failure) {
                throw new SelectorException("CEL runtime error: expected a version, got " + text, failure);
            }
        }
    }

    private static final CelCompiler COMPILER = CelCompilerFactory.standardCelCompilerBuilder()
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addLibraries(CelExtensions.strings())
            .addVar(DEVICE_DRIVER, SimpleType.STRING)
            .addVar(ATTRIBUTES, byDomain(SimpleType.DYN))
            .addVar(CAPACITY, byDomain(QUANTITY))
            .addFunctionDeclarations(
                    CelFunctionDecl.newFunctionDeclaration(
                            "quantity",
                            CelOverloadDecl.newGlobalOverload("quantity_string", QUANTITY, SimpleType.STRING)),
                    CelFunctionDecl.newFunctionDeclaration(
                            "semver", CelOverloadDecl.newGlobalOverload("semver_string", SEMVER, SimpleType.STRING)),
                    CelFunctionDecl.newFunctionDeclaration(
                            "compareTo",
                            CelOverloadDecl.newMemberOverload(
                                    "quantity_compare_to", SimpleType.INT, QUANTITY, QUANTITY),
                            CelOverloadDecl.newMemberOverload("semver_compare_to", SimpleType.INT, SEMVER, SEMVER)))
            .setResultType(SimpleType.BOOL)
            .build();

    private static final CelRuntime RUNTIME = CelRuntimeFactory.standardCelRuntimeBuilder()
            .addLibraries(CelExtensions.strings())
            .addFunctionBindings(
                    CelFunctionBinding.from("quantity_string", String.class, Amount::of),
                    CelFunctionBinding.from("semver_string", String.class, Version::of),
                    CelFunctionBinding.from("quantity_compare_to", Amount.class, Amount.class, (left, right) ->
                            (long) left.value().compareTo(right.value())),
                    CelFunctionBinding.from("semver_compare_to", Version.class, Version.class, (left, right) ->
                            (long) Arrays.compare(left.numbers(), right.numbers())))
            .build();

    private static final Map<String, CelRuntime.Program> PROGRAMS = new ConcurrentHashMap<>();

    private DeviceExpressions() {}

    private static CelType byDomain(CelType values) {
        return MapType.create(SimpleType.STRING, MapType.create(SimpleType.STRING, values));
    }

    /**
     * Returns true if a device meets an expression.
     *
     * @throws SelectorException if it cannot be compiled, or the device lacks a value that it needs
     */
    static boolean holds(String expression, String driver, Device device) {
        try {
            return (boolean) PROGRAMS.computeIfAbsent(expression, DeviceExpressions::compiled)
                    .eval(variables(driver, device));
        } catch (CelEvaluationException failure) {
            throw new SelectorException("CEL runtime error: " + failure.getMessage(), failure);
        }
    }

    private static CelRuntime.Program compiled(String expression) {
        try {
            return RUNTIME.createProgram(COMPILER.compile(expression).getAst());
        } catch (CelValidationException | CelEvaluationException failure) {
            throw new SelectorException("CEL compile error: " + failure.getMessage(), failure);
        }
    }

    private static Map<String, Object> variables(String driver, Device device) {
        Map<String, Map<String, Object>> attributes = new HashMap<>();
        attributes.put(driver, new HashMap<>());
        if (device.getAttributes() != null) {
            device.getAttributes().forEach((name, value) -> put(attributes, driver, name, value(value)));
        }
        Map<String, Map<String, Object>> capacity = new HashMap<>();
        capacity.put(driver, new HashMap<>());
        if (device.getCapacity() != null) {
            device.getCapacity()
                    .forEach((name, value) -> put(
                            capacity, driver, name, new Amount(value.getValue().getNumericalAmount())));
        }
        return Map.of(DEVICE_DRIVER, driver, ATTRIBUTES, attributes, CAPACITY, capacity);
    }

    /** A name without a domain belongs to the driver. */
    private static void put(Map<String, Map<String, Object>> values, String driver, String name, Object value) {
        int slash = name.indexOf('/');
        String domain = slash < 0 ? driver : name.substring(0, slash);
        values.computeIfAbsent(domain, any -> new HashMap<>()).put(name.substring(slash + 1), value);
    }

    private static Object value(DeviceAttribute attribute) {
        if (attribute.getString() != null) {
            return attribute.getString();
        }
        if (attribute.getVersion() != null) {
            return Version.of(attribute.getVersion());
        }
        return attribute.getInt() != null ? attribute.getInt() : attribute.getBool();
    }
}
