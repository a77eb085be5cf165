package io.jvmscope.dump;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.tables.BoolColumn;
import io.jvmscope.tables.FrameWriter;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int32ListColumn;
import io.jvmscope.tables.Table;
import io.jvmscope.tables.TextColumn;
import java.io.IOException;

/** Writes tables {@code class} and {@code field}. */
final class ClassTables {
  private final Int32Column classId = new Int32Column("class_id");
  private final TextColumn name = new TextColumn("name");
  private final TextColumn loader = new TextColumn("loader");
  private final TextColumn module = new TextColumn("module");
  private final Int32Column superId = new Int32Column("super_id");
  private final Int32ListColumn interfaceIds = new Int32ListColumn("interface_ids");
  private final Int32Column accessFlags = new Int32Column("access_flags");
  private final Int32Column majorVersion = new Int32Column("major_version");
  private final TextColumn sourceFile = new TextColumn("source_file");
  private final Int32Column sizeBytes = new Int32Column("size_bytes");
  private final BoolColumn isInterface = new BoolColumn("is_interface");
  private final BoolColumn isHidden = new BoolColumn("is_hidden");
  private final Table classes;

  private final Int32Column fieldId = new Int32Column("field_id");
  private final Int32Column fieldClass = new Int32Column("class_id");
  private final TextColumn fieldName = new TextColumn("name");
  private final TextColumn fieldDescriptor = new TextColumn("descriptor");
  private final Int32Column fieldFlags = new Int32Column("access_flags");
  private final BoolColumn fieldIsStatic = new BoolColumn("is_static");
  private final Table fields;

  ClassTables(FrameWriter out) throws IOException {
    classes =
        new Table(
            out,
            "class",
            classId,
            name,
            loader,
            module,
            superId,
            interfaceIds,
            accessFlags,
            majorVersion,
            sourceFile,
            sizeBytes,
            isInterface,
            isHidden);
    fields =
        new Table(
            out,
            "field",
            fieldId,
            fieldClass,
            fieldName,
            fieldDescriptor,
            fieldFlags,
            fieldIsStatic);
  }

  /**
   * Writes a class and its fields.
   *
   * @param above ids of the direct superinterfaces that were loaded
   */
  void write(
      int id,
      CanonicalOrder.Place place,
      ClassFile file,
      String inModule,
      int superclass,
      int[] above,
      Operands text)
      throws IOException {
    classId.add(id);
    name.add(place.name());
    loader.add(place.loader());
    module.add(inModule);
    superId.addId(superclass);
    interfaceIds.add(above);
    accessFlags.add(file.accessFlags());
    majorVersion.add(file.majorVersion());
    sourceFile.add(file.sourceFile());
    sizeBytes.add(file.bytes().length);
    isInterface.add((file.accessFlags() & ClassFile.ACC_INTERFACE) != 0);
    isHidden.add(place.loaded().isHidden());
    classes.endRow();
    for (ClassFile.Field field : file.fields()) {
      fieldId.add((int) fields.total());
      fieldClass.add(id);
      fieldName.add(field.name());
      fieldDescriptor.add(text.descriptor(field.descriptor()));
      fieldFlags.add(field.access());
      fieldIsStatic.add((field.access() & ClassFile.ACC_STATIC) != 0);
      fields.endRow();
    }
  }

  void finish() throws IOException {
    classes.finish();
    fields.finish();
  }
}
