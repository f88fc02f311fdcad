package dev.outpost;

/** A function with a gradient of its own that the library is made of: what it makes on its way back ends there. */
abstract class LibraryFunction extends CustomFunction {
    @Override
    final boolean isForeign() {
        return false;
    }
}
