/** Output of a form: which tokens a text may go on with so that it becomes JSON of a schema. */
package dev.outpost.models.constraint;
