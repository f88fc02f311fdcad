/** Charts of metrics: PNG, SVG, and text for terminals. */
package dev.outpost.models.plot;
