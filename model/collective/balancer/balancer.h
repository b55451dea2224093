// SPDX-License-Identifier: GPL-2.0-only
#ifndef BALANCER_H
#define BALANCER_H

#include "exchange-counts.h"

#include "ns3/frame-format.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/rail-queue.h"
#include "ns3/rails-units.h"
#include "ns3/server-layout.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// What one local GPU has for one GPU of another server.
struct LocalDemand
{
    uint32_t source{0};      //!< source GPU (global number, of this server)
    uint32_t destination{0}; //!< destination GPU (global number, of another server)
    uint64_t bytes{0};       //!< at least 1
    RailQueue on{};          //!< where what it is part of has chosen; not for balancers
};

/// A pair of NICs by which a server reaches another one.
struct NicWay
{
    uint16_t tx{0};  //!< rail of the own NIC
    uint16_t rx{0};  //!< rail of that of the other server
    double speed{1}; //!< rate now, of the slower of the two, in parts of the own NIC's as laid

    bool operator==(const NicWay& other) const
    {
        return tx == other.tx && rx == other.rx && speed == other.speed;
    }
};

/// What a server knows by itself when it plans: its own row of the matrix, NICs, and failures.
struct ServerView
{
    ClusterShape shape;               //!< the cluster
    uint32_t server{0};               //!< this server
    std::vector<LocalDemand> demands; //!< by source, then destination; inter-server only

    /// What has failed, as far as this server knows: by other server that it has something for,
    /// whether a way from NIC to NIC works, at tx * nicsPerServer + rx. Without a server when this
    /// one knows of no failure, or no way leads there: then there is nothing to avoid.
    std::map<uint32_t, std::vector<bool>> reach{};

    /// GPUs and NICs of every server; without it they are dealt to each other in order.
    mutable std::shared_ptr<const ServerLayout> layout{};

    /// Circuits that this server has: by other server, an own NIC and that of the other one.
    std::map<uint32_t, std::vector<NicWay>> circuits{};

    /// Which of the groups of GPUs is planned that exchange apart from each other, each for itself,
    /// and of how many.
    uint32_t group{0};
    uint32_t groups{1};

    /// Which of the parts is planned into which all of a transfer is cut (CommOpTraits::lanes).
    uint32_t lane{0};

    FrameFormat frames{}; //!< how bytes become frames

    /// The rate of a NIC now, as far as this server knows, in bit/s; 0 when it is cut. Parameters
    /// are a server and a rail. Without it nothing is known of rates.
    std::function<uint64_t(uint32_t, uint32_t)> getNicRate{};

    /// Sets them. \param members GPUs of the server that take part, sorted, at least one; groups
    /// have equally many, side by side or dealt out
    void SetGroup(const std::vector<uint32_t>& members);

    /// \return the rail with which balancers begin that go round them: another one for each server,
    /// and for each group of it
    uint32_t GetFirstRail() const;

    /// \return the same, in any case
    const ServerLayout& GetLayout() const;

    /// \return true when nothing is known against a way from an own NIC to one of another server
    bool Reaches(uint32_t to, uint32_t txRail, uint32_t rxRail) const;

    /// \return the rails on which nothing is known against the way to another server; empty only
    /// for balancers that take detours, see Balancer::Traits
    std::vector<uint16_t> GetRails(uint32_t to) const;

    /// \return the rail itself when it leads to the other server, else the next rail that does; of
    /// several that do not, each has another one as long as there are some
    uint16_t MoveRail(uint32_t to, uint16_t rail) const;

    /// \return the rail by which a message leaves and the rail by which it arrives, both moved so
    /// to a way that works
    std::pair<uint16_t, uint16_t> MoveRails(uint32_t to, uint16_t txRail, uint16_t rxRail) const;

    /// \return the NIC near a GPU (ServerLayout::GetNearNic()); GPUs are global numbers
    uint16_t GetNearNic(uint32_t gpu, uint32_t turn) const;

    /// \return the rate of a NIC: bit/s as getNicRate tells, or by the layout alone, in bit/s of
    /// the fastest NIC, where nothing is known of rates
    double GetRate(uint32_t server, uint32_t rail) const;

    /// \return the rails that GetRails() gives, each with the rate of the slower of its two NICs
    /// (GetRate())
    std::vector<std::pair<uint16_t, double>> GetRailRates(uint32_t to) const;
};

/**
 * \param matrix what all servers have to send
 * \param server the server that plans
 * \param layout its GPUs and NICs, see ServerView
 * \return what this server has to send: its own row of the matrix
 */
ServerView MakeServerView(const TrafficMatrix& matrix,
                          uint32_t server,
                          std::shared_ptr<const ServerLayout> layout = nullptr);

/// One RDMA message to be.
struct Piece
{
    uint32_t demand{0};  //!< index into ServerView::demands
    uint64_t bytes{0};   //!< at least 1
    uint16_t txRail{0};  //!< NIC by which it leaves; ignored when the balancer chooses at sending
    uint16_t rxRail{0};  //!< NIC of the destination's server at which it arrives
    uint16_t subflow{0}; //!< which of the queue pairs between these NICs; not for balancers to set
    uint64_t paceBps{0}; //!< see Message::paceBps
};

/// What ChooseRail() sees instead of a byte count for a rail that takes no more pieces for now.
constexpr uint64_t kRailFull = std::numeric_limits<uint64_t>::max();

/**
 * Decides which NIC carries each piece of a server's traffic: the `balance` component. (What
 * balances inside the fabric is the FabricBalancing, whose keys stand beside a balancer's.) One
 * object serves all servers of a run; it is asked for each server and each step of a phase, and
 * must not remember anything of one server that changes its answer to another. A balancer avoids
 * the ways that the server knows not to work (ServerView::reach).
 *
 * Balancers derive from the class that says what they know: RowBalancer, SumsBalancer or
 * MatrixBalancer.
 */
class Balancer : public Object
{
  public:
    /// What holds for all objects of a class.
    struct Traits
    {
        bool needsCounts{false}; //!< servers tell each other what they have before they plan
        /// A failure makes servers plan all anew that has not begun to leave, in place of that
        /// alone which the failure leaves stranded.
        bool paces{false};
        /// Pieces may leave by a circuit and arrive from the packet fabric, or the other way round,
        /// where ServerView::reach has no other way.
        bool takesDetours{false};
        bool choosesAtSending{false}; //!< ChooseRail() is to be asked for each piece as it is sent
        /// Of a DealingBalancer: equal chunks go to one rail after the other.
        bool dealsInTurn{false};
    };

    static TypeId GetTypeId();

    const Traits& GetTraits() const
    {
        return m_traits;
    }

    /**
     * \param view what the server knows by itself
     * \param counts what servers have told each other; may be null unless Traits::needsCounts
     * \return the pieces in the order in which they are posted; together they cover every demand
     * exactly
     */
    virtual std::vector<Piece> MakePieces(const ServerView& view, const ExchangeCounts* counts) = 0;

    /// \return from when a server has all that it needs for its plan, until it sends
    virtual TimePs GetPlanningTime() const;

    /// \return true when pieces leave by one rail and arrive by another: the fabric needs a spine
    virtual bool CrossesRails() const;

    /// \return true when pieces take circuits, see ServerView::circuits
    virtual bool UsesCircuits() const;

    /**
     * \return where Traits::choosesAtSending, how many pieces of its own a server keeps posted and
     * unsent on a rail; at least 1
     */
    virtual uint32_t GetDepth() const;

    /**
     * Called as a piece is sent, where Traits::choosesAtSending and at least one rail takes a
     * piece. \param view what the server knows \param piece the piece \param unsentBytes per rail,
     * the bytes that the NIC has still to send, or kRailFull \return the rail that the piece leaves
     * and arrives by
     */
    virtual uint16_t ChooseRail(const ServerView& view,
                                const Piece& piece,
                                const std::vector<uint64_t>& unsentBytes);

    /**
     * \param bytes of a message from GPU to GPU
     * \param shape of the cluster
     * \param areEqual all messages have as many bytes
     * \return into how many pieces it is cut, about; by default as an attribute Chunk says
     */
    virtual double EstimatePieces(double bytes, const ClusterShape& shape, bool areEqual) const;

    /// \return the balancer of all traffic but exchanges (all-to-all); null: this one
    Ptr<Balancer> GetOtherBalancer() const;

    /**
     * \param nics of a server
     * \return after how many servers plans are the same, where the servers have the same to send to
     * servers that are as far on, and GPUs near a NIC whose numbers leave the same rest; 0: never
     */
    virtual uint32_t GetPeriod(uint32_t nics) const;

    /// \return true when the NICs of what one GPU sends to another do not depend on what else is
    /// sent, nor on the number of the other's server. \param layout of the servers
    virtual bool PlansApart(const ServerLayout& layout) const;

    /// \return true when this one or the other one crosses rails
    bool AnyCrossesRails() const;

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return how many streams were used
     */
    virtual int64_t AssignStreams(int64_t stream);

  protected:
    Traits m_traits; //!< set by constructors alone

    /// \return into how many pieces of a chunk bytes are cut, about
    static double EstimateParts(double bytes, ByteSize chunk);

    void DoDispose() override;

  private:
    Ptr<Balancer> m_other;
    Time m_planningTime;
};

} // namespace ns3::rails

#endif // BALANCER_H
