package dev.outpost.vocabulary;

/** All tables of ops. */
final class OpTables {
    private OpTables() {}

    /** Returns a registry of the ops of all tables. */
    static OpRegistry registry() {
        OpRegistry registry = new OpRegistry();
        PointwiseTable.addTo(registry);
        ReductionTable.addTo(registry);
        OrderTable.addTo(registry);
        ShapeTable.addTo(registry);
        IndexTable.addTo(registry);
        CreationTable.addTo(registry);
        ContractionTable.addTo(registry);
        LayerTable.addTo(registry);
        WindowTable.addTo(registry);
        SamplingTable.addTo(registry);
        LossTable.addTo(registry);
        MaskedTable.addTo(registry);
        LinalgTable.addTo(registry);
        ComplexTable.addTo(registry);
        registry.addDerived();
        return registry;
    }
}
