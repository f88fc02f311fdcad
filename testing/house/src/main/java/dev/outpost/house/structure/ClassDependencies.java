package dev.outpost.house.structure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.attribute.PermittedSubclassesAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The dependencies between source files, read from compiled classes. A nested class belongs to the file of its outermost class. The
 * permitted types of a sealed type do not count as used by it.
 */
public final class ClassDependencies {
    private static final Pattern DESCRIPTOR_TYPE = Pattern.compile("L(dev/outpost/[\\w/$]+)[;<]");

    private final Map<String, Set<String>> uses = new TreeMap<>();

    /** Reads all classes below folders of compiled classes. */
    public static ClassDependencies of(Stream<Path> folders) {
        ClassDependencies dependencies = new ClassDependencies();
        folders.forEach(dependencies::readFolder);
        dependencies.keepKnown();
        return dependencies;
    }

    /** The files that each file uses, by the name of the outermost class. */
    public Map<String, Set<String>> uses() {
        return uses;
    }

    private void readFolder(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(file -> file.toString().endsWith(".class"))
                    .filter(file -> !file.endsWith("module-info.class") && !file.endsWith("package-info.class"))
                    .forEach(this::readClass);
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    private void readClass(Path file) {
        try {
            add(ClassFile.of().parse(file));
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    private void add(ClassModel model) {
        String name = outermost(model.thisClass().asInternalName());
        if (!name.startsWith("dev.outpost.")) {
            return;
        }
        Set<String> used = uses.computeIfAbsent(name, first -> new TreeSet<>());
        Set<String> permitted = permitted(model);
        for (PoolEntry entry : model.constantPool()) {
            switch (entry) {
                case ClassEntry type
                when !permitted.contains(type.asInternalName()) -> addTypes(type.asInternalName(), used);
                case Utf8Entry text -> addDescriptor(text.stringValue(), used);
                default -> {}
            }
        }
        used.remove(name);
    }

    private static Set<String> permitted(ClassModel model) {
        return model.findAttribute(Attributes.permittedSubclasses()).stream()
                .map(PermittedSubclassesAttribute::permittedSubclasses)
                .flatMap(types -> types.stream().map(ClassEntry::asInternalName))
                .collect(Collectors.toSet());
    }

    private static void addTypes(String internalName, Set<String> used) {
        if (internalName.startsWith("[")) {
            addDescriptor(internalName, used);
        } else if (internalName.startsWith("dev/outpost/")) {
            used.add(outermost(internalName));
        }
    }

    private static void addDescriptor(String text, Set<String> used) {
        Matcher matcher = DESCRIPTOR_TYPE.matcher(text);
        while (matcher.find()) {
            used.add(outermost(matcher.group(1)));
        }
    }

    private static String outermost(String internalName) {
        int dollar = internalName.indexOf('$');
        return (dollar < 0 ? internalName : internalName.substring(0, dollar)).replace('/', '.');
    }

    private void keepKnown() {
        uses.values().forEach(used -> used.retainAll(uses.keySet()));
    }
}
