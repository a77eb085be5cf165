/**
 * @table        state_place
 * @description  Where the recording kept what it knows of the objects of each type, and why not in the object
 *               itself. States are `fields` (immutability, sharing, zeroing), `locks` and `hash codes`. Places
 *               are `hidden field`, a field of the object that the program does not see; `table of weak
 *               references`, beside the objects; and `nowhere`: they are not watched. There is a row for each
 *               state that objects of the type have, and for fields also of loaded classes that cannot be
 *               watched.
 * @recorded     --probes immutability, sharing, zeroing, locking or hashcodes
 * @order        class_id (null last), type, state
 * @element      statePlace
 * @within       classes 20
 */
CREATE TABLE state_place (
    class_id  INTEGER REFERENCES class (class_id),  -- class, or of arrays that of the elements; null: the elements are numbers, or the class is not known
    type      VARCHAR NOT NULL,  -- name of the class, or descriptor of the array
    state     VARCHAR NOT NULL,  -- what is known of the objects: fields, hash codes or locks
    place     VARCHAR NOT NULL,  -- where that is kept: hidden field, table of weak references, or nowhere
    reason    VARCHAR            -- why not in a hidden field; null: it is there
);
