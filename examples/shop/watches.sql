-- What becomes of a row: three calls, by the owner of the tables, in the tenant whose memory it is (cognifold.tenant).
-- A template has few words of its own: what all rows share says nothing, and makes them alike. When it happened is what
-- the row says; without occurred_at it would be when the transaction began.

-- A purchase is an event when it is placed, and again when its status changes.
SELECT cognifold.watch('shop.purchase',
    '{customer} ordered {item}',
    title             => 'Order {id}',
    content_of_update => '{= initcap(status)} to {customer}: {item}',
    changed           => '{status}',
    occurred_at       => '{changed_at}',
    actor             => '{customer}',
    payload           => '{item,status}');

-- A ticket has a title, and may have a date by which something was promised.
SELECT cognifold.watch('shop.ticket',
    '{subject}',
    title             => 'Ticket {id}',
    content_of_update => '{= initcap(status)}: {subject}',
    changed           => '{status}',
    occurred_at       => '{changed_at}',
    actor             => '{customer}',
    deadline          => '{promised_for}',
    payload           => '{machine,status}');

-- What is said about it is an event in the words it was said in; notes are never rewritten, so inserts are all there is.
SELECT cognifold.watch('shop.note',
    '{body}',
    operations  => '{insert}',
    occurred_at => '{written_at}',
    actor       => '{author}',
    payload     => '{ticket_id}');
